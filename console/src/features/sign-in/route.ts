import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app-routes.ts';
import { nextPath } from '../../lib/next-path.ts';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: nextPath,
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
});
