import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';

export const peopleRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'people',
  component: lazyRouteComponent(() => import('./people-page.tsx'), 'PeoplePage'),
});
