import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';

export const keysRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'keys',
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
});
