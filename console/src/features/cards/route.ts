import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';
import { CARD_TABS, type CardTab } from './card-tabs.ts';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The newest cards, or the results of a search. */
export const cardsRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'cards',
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } => {
    const asked = text(q);
    return asked === undefined ? {} : { q: asked };
  },
  component: lazyRouteComponent(() => import('./cards-page.tsx'), 'CardsPage'),
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
