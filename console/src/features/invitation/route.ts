import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app-routes.ts';

/** The link of an invitation; its token is in the fragment. */
export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invitation',
  component: lazyRouteComponent(() => import('./invitation-page.tsx'), 'InvitationPage'),
});
