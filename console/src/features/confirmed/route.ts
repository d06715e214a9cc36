import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app-routes.ts';
import { nextPath } from '../../lib/next-path.ts';

/** The end of a confirmation at the OpenID provider, in a window of its own. */
export const confirmedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'confirmed',
  validateSearch: nextPath,
  component: lazyRouteComponent(() => import('./confirmed-page.tsx'), 'ConfirmedPage'),
});
