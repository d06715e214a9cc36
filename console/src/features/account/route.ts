import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { requireSession, rootRoute } from '../../app-routes.ts';
import { nextPath } from '../../lib/next-path.ts';

/** Belongs to the operator and not to a program, so it is available while all other pages are blocked. */
export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'account',
  validateSearch: nextPath,
  beforeLoad: async ({ context, location }): Promise<void> => {
    await requireSession(context.queryClient, location.href);
  },
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
});
