import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { CardOfProgramPath, readBefore } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { readCardTimeline } from '../timeline/read-card-timeline.ts';
import { EXAMPLE_AUTHENTICATION, EXAMPLE_DETAIL, EXAMPLE_LIFE } from './examples.ts';
import { readLife } from './read-life.ts';
import { Timeline, TimelineQuery, TransactionLife, TransactionPath } from './schema.ts';

export function transactionQueryRoutes(app: App, services: Pick<QueryServices, 'db' | 'vault'>): void {
  app.get(
    '/cards/:cardId/timeline/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleCardTimeline',
        summary: "List a card's transactions and authentications",
        description:
          'Newest first. Each decline comes with its meaning and a remedy. Authentications come without codes.',
        params: CardOfProgramPath,
        querystring: TimelineQuery,
        response: {
          200: success(Timeline, 'A page of transactions and authentications', {
            results: [EXAMPLE_DETAIL],
            authentications: [EXAMPLE_AUTHENTICATION],
            next: null,
          }),
          ...badRequest([400, 'before: must be a record id from `next`']),
        },
      },
    },
    async (request) => {
      const { transactions, authentications, next } = await readCardTimeline(
        services,
        actorOf(request),
        request.params.cardId,
        ['transactions', 'authentications'],
        readBefore(request.query.before),
      );
      return { results: transactions, authentications, next };
    },
  );

  app.get(
    '/transactions/:transactionId/',
    {
      config: {
        role: 'viewer',
        auditView: ({ transaction: { id, cardId } }: { transaction: { id: string; cardId: string } }) => ({
          action: 'console.viewed_transaction',
          cardId,
          after: { transactionId: id },
        }),
      } satisfies Access,
      schema: {
        operationId: 'consoleTransactionLife',
        summary: 'Get a transaction with its history',
        description:
          'Returns the messages of the transaction in order, each with its ledger transfers, and its refunds.',
        params: TransactionPath,
        response: {
          200: success(TransactionLife, 'The transaction', EXAMPLE_LIFE),
          ...badRequest([400, 'host: is required']),
        },
      },
    },
    async (request) => {
      return readLife(services, actorOf(request), request.params.transactionId);
    },
  );
}
