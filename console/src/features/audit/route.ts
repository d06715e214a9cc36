import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';
import { type AuditSearch, FILTERS } from './filters.ts';

/** The filters are in the URL, so that a shared link shows the same entries. */
export const auditRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'audit',
  validateSearch: (given: Record<string, unknown>): AuditSearch =>
    Object.fromEntries(
      FILTERS.flatMap((name) => {
        const value = given[name];
        return typeof value === 'string' && value !== '' ? [[name, value]] : [];
      }),
    ),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});
