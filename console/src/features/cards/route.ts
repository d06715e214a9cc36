import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';
import { readSearch } from '../../components/list/search.ts';
import { FITS } from './card-filters.ts';
import { CARD_TABS, type CardTab } from './card-tabs.ts';

const readCards = readSearch({ ...FITS, q: () => true });

/** The cards, or the results of a search. */
export const cardsRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'cards',
  validateSearch: readCards,
  component: lazyRouteComponent(() => import('./cards-page.tsx'), 'CardsPage'),
});

export const batchesRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'card-batches',
  component: lazyRouteComponent(() => import('./batches-page.tsx'), 'BatchesPage'),
});

export const cardRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'cards/$cardId',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: CardTab } => {
    const known = CARD_TABS.find((each) => each === tab);
    return known ? { tab: known } : {};
  },
  component: lazyRouteComponent(() => import('./card-page.tsx'), 'CardPage'),
});
