import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';

export const simulatorRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'simulator',
  component: lazyRouteComponent(() => import('./simulator-page.tsx'), 'SimulatorPage'),
});
