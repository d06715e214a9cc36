import type { Database, Tx } from '../db/database.ts';
import type { NumberFields } from '../http/card-numbers.ts';
import type { AnswerOnce } from '../http/idempotency.ts';
import { PageQuery, pageEnvelope, pageOf, readPageQuery } from '../http/paging.ts';
import { badRequest, IdempotencyHeaders, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { claimOf, markReplay } from '../programs/answer-request.ts';
import { type MakeOrRequest, sendOrAccept } from '../programs/second-person.ts';
import { adjustBalanceIn } from './adjust-balance.ts';
import { EXAMPLE_ADJUSTMENT, EXAMPLE_LISTED_ADJUSTMENT } from './examples.ts';
import { listAdjustments } from './list-adjustments.ts';
import { AdjustmentAnswer, AdjustmentBody, CardPath, ListedAdjustment } from './schema.ts';

interface Services {
  db: Database;
  answerOnce: AnswerOnce;
  publicUrl: string;
  onError: (error: unknown) => void;
  /** In the console: an operator's adjustment may need a second person. */
  makeOrRequest?: MakeOrRequest | undefined;
}

export function adjustmentRoutes(app: App, services: Services): void {
  const tags = ['Cards'];

  app.post(
    '/cards/:cardId/balance-adjustments/',
    {
      config: { scope: 'write', role: 'manager', numbersIn: ['reference'] } satisfies Access & NumberFields,
      schema: {
        tags,
        operationId: 'adjustBalance',
        summary: 'Adjust available credit',
        description:
          'Raises or lowers the available credit, never below 0. Send an Idempotency-Key to retry safely.',
        params: CardPath,
        headers: IdempotencyHeaders,
        body: AdjustmentBody,
        response: {
          201: success(AdjustmentAnswer, 'The balance is adjusted', EXAMPLE_ADJUSTMENT),
          ...badRequest([400, 'amount: must not remove more than the available 250.00']),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { amount, reference } = body;
      const { cardId } = request.params;
      const actor = actorOf(request);
      // In the console the answer may be that the change waits, which no key gets.
      const endpoint = `POST ${services.makeOrRequest ? 'console ' : ''}balance-adjustments`;
      const claim = claimOf(request, { endpoint, request: { cardId, body } });
      const answered = services.answerOnce(claim, async (remember) => {
        const make = (tx: Tx) => adjustBalanceIn(tx, actor, cardId, body, remember);
        const payload = { cardId, amount, reference };
        return services.makeOrRequest
          ? services.makeOrRequest(actor, 'adjustment', payload, make, remember)
          : services.db.transaction(make);
      });
      return sendOrAccept(reply, 201, await markReplay(reply, answered));
    },
  );

  app.get(
    '/cards/:cardId/balance-adjustments/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags,
        operationId: 'listBalanceAdjustments',
        summary: 'List balance adjustments of a card',
        description: 'Newest first.',
        params: CardPath,
        querystring: PageQuery,
        response: {
          200: pageOf(
            ListedAdjustment,
            'A page of balance adjustments, newest first',
            EXAMPLE_LISTED_ADJUSTMENT,
          ),
          ...badRequest([400, 'min_created: must not be after max_created']),
        },
      },
    },
    async (request) => {
      const { cardId } = request.params;
      const page = readPageQuery(request.query);
      const { count, adjustments } = await listAdjustments(services, actorOf(request), cardId, page);
      const url = `${services.publicUrl}/api/v1/merchant/cards/${cardId}/balance-adjustments/`;
      return pageEnvelope(url, request.query, page.pageSize, count, adjustments);
    },
  );
}
