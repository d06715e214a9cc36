import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';
import { readSearch } from '../../components/list/search.ts';
import { FITS } from './filters.ts';

/** The filters are in the URL, so that a shared link shows the same list. */
export const transactionsRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'transactions',
  validateSearch: readSearch(FITS),
  component: lazyRouteComponent(() => import('./transactions-page.tsx'), 'TransactionsPage'),
});

export const transactionRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'transactions/$transactionId',
  component: lazyRouteComponent(() => import('./transaction-page.tsx'), 'TransactionPage'),
});
