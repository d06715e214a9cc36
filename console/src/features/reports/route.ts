import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';

export const reportsRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'reports',
  component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
});
