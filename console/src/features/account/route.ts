import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { requireSession, rootRoute } from '../../app-routes.ts';
import { nextPath } from '../../lib/next-path.ts';

/** Of the operator and no program: reached also while nothing else may be done. */
export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'account',
  validateSearch: nextPath,
  beforeLoad: async ({ context, location }): Promise<void> => {
    await requireSession(context.queryClient, location.href);
  },
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
});
