import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { readBefore } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { EXAMPLE_FUNDING, EXAMPLE_TERMS } from './examples.ts';
import { readFunding } from './read-funding.ts';
import { readTerms } from './read-terms.ts';
import { FundingPage, FundingQuery, Terms } from './schema.ts';

/** The program's own settings and money; its balance is that of the merchant API. */
export function programQueryRoutes(app: App, services: Pick<QueryServices, 'db'>): void {
  app.get(
    '/terms/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleProgramTerms',
        summary: 'Get the terms of the program',
        description: 'Fees and costs, holds and clearings, and when 3-D Secure applies.',
        response: {
          200: success(Terms, 'The terms', EXAMPLE_TERMS),
          ...badRequest([400, 'host: is required']),
        },
      },
    },
    async (request) => readTerms(actorOf(request).program),
  );

  app.get(
    '/funding/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleProgramFunding',
        summary: 'List the funding of the master account',
        description: 'Newest first.',
        querystring: FundingQuery,
        response: {
          200: success(FundingPage, 'A page of funding', { results: [EXAMPLE_FUNDING], next: null }),
          ...badRequest([400, 'before: must be a record id from `next`']),
        },
      },
    },
    async (request) => readFunding(services, actorOf(request).program.id, readBefore(request.query.before)),
  );
}
