import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app-routes.ts';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    // A path of the console and no other place: a link must not lead away after the password.
    typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {},
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
});
