import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';
import { isStatusFilter, type StatusFilter } from './status-filter.ts';

export const approvalsRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'approvals',
  validateSearch: ({ status }: Record<string, unknown>): { status?: StatusFilter } =>
    isStatusFilter(status) ? { status } : {},
  component: lazyRouteComponent(() => import('./approvals-page.tsx'), 'ApprovalsPage'),
});
