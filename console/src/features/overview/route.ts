import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';
import type { OverviewWindow } from '../../lib/types.ts';

const WINDOWS: readonly OverviewWindow[] = ['24h', '7d', '30d'];

export const overviewRoute = createRoute({
  getParentRoute: () => programRoute,
  path: '/',
  validateSearch: ({ window }: Record<string, unknown>): { window?: OverviewWindow } => {
    const known = WINDOWS.find((each) => each === window);
    return known ? { window: known } : {};
  },
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
});
