import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';

export const designsRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'designs',
  component: lazyRouteComponent(() => import('./designs-page.tsx'), 'DesignsPage'),
});
