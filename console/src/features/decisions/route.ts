import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';

export const decisionsRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'decisions',
  component: lazyRouteComponent(() => import('./decisions-page.tsx'), 'DecisionsPage'),
});
