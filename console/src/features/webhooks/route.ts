import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';
import { readSearch } from '../../components/list/search.ts';
import { FITS } from './event-filters.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'webhooks',
  validateSearch: readSearch(FITS),
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});
