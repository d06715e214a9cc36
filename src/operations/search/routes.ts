import { EXAMPLE_CARD_ANSWER } from '../../cards/examples.ts';
import { success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Caller } from '../../programs/program.ts';
import { ProgramPath, queryErrors } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { findCards } from './find-cards.ts';
import { SearchQuery, SearchResults } from './schema.ts';

export function searchRoutes(app: App, services: QueryServices): void {
  app.get(
    '/search/',
    {
      schema: {
        tags: ['Console'],
        operationId: 'consoleSearch',
        summary: 'Find cards',
        description: 'Searches by all supported fields at once. Best match first.',
        params: ProgramPath,
        querystring: SearchQuery,
        response: {
          200: success(SearchResults, 'Matching cards', {
            results: [{ card: EXAMPLE_CARD_ANSWER, matchedBy: 'cardholder', transactionId: null }],
            more: false,
          }),
          ...queryErrors('q: must not be empty'),
        },
      },
    },
    async (request) => findCards(services, request.getDecorator<Caller>('caller'), request.query.q),
  );
}
