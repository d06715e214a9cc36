import type { Static } from 'typebox';
import { EXAMPLE_CARD_ANSWER } from '../../cards/examples.ts';
import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import type { QueryServices } from '../services.ts';
import { kindOfSearch } from './check-search.ts';
import { findCards } from './find-cards.ts';
import { SearchQuery, SearchResults } from './schema.ts';

export function searchRoutes(app: App, services: QueryServices): void {
  app.get(
    '/search/',
    {
      config: {
        role: 'viewer',
        // The audit does not store the search text, which may be a name.
        auditView: ({ results, transactions }: Static<typeof SearchResults>, { q }: { q: string }) => ({
          action: 'console.searched',
          after: {
            by: kindOfSearch(q),
            cardIds: results.map(({ card }) => card.id),
            ...(transactions.length > 0 && { transactionIds: transactions.map(({ id }) => id) }),
          },
        }),
      } satisfies Access,
      schema: {
        operationId: 'consoleSearch',
        summary: 'Find cards and transactions',
        description: 'Searches by all supported fields at once. Best match first.',
        querystring: SearchQuery,
        response: {
          200: success(SearchResults, 'Matching cards and transactions', {
            results: [{ card: EXAMPLE_CARD_ANSWER, matchedBy: 'cardholder', transactionId: null }],
            more: false,
            transactions: [],
            searchedBackTo: null,
          }),
          ...badRequest([400, 'q: must not be empty']),
        },
      },
    },
    async (request) => findCards(services, actorOf(request), request.query.q),
  );
}
