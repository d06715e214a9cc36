import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';

export const transactionsRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'transactions',
  component: lazyRouteComponent(() => import('./transactions-page.tsx'), 'TransactionsPage'),
});

export const transactionRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'transactions/$transactionId',
  component: lazyRouteComponent(() => import('./transaction-page.tsx'), 'TransactionPage'),
});
