import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';

export const customersRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'customers',
  component: lazyRouteComponent(() => import('./customers-page.tsx'), 'CustomersPage'),
});

type CustomerTab = 'transactions';

export const customerRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'customers/$customerId',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: CustomerTab } =>
    tab === 'transactions' ? { tab } : {},
  component: lazyRouteComponent(() => import('./customer-page.tsx'), 'CustomerPage'),
});
