import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';
import { readSearch, type Search } from '../../components/list/search.ts';
import { FITS, type FilterName } from './filters.ts';

/** The filters are in the URL, so that a shared link shows the same list. */
export const transactionsRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'transactions',
  validateSearch: (given: Record<string, unknown>): Search<FilterName> & { explain?: string } => ({
    ...readSearch(FITS)(given),
    // The declined transaction that is explained beside the list.
    ...(typeof given['explain'] === 'string' && FITS.card(given['explain']) && { explain: given['explain'] }),
  }),
  component: lazyRouteComponent(() => import('./transactions-page.tsx'), 'TransactionsPage'),
});

export const transactionRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'transactions/$transactionId',
  component: lazyRouteComponent(() => import('./transaction-page.tsx'), 'TransactionPage'),
});
