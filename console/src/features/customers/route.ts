import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';

export const customerRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'customers/$customerId',
  component: lazyRouteComponent(() => import('./customer-page.tsx'), 'CustomerPage'),
});
