import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';

export const programPageRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'program',
  component: lazyRouteComponent(() => import('./program-page.tsx'), 'ProgramPage'),
});
