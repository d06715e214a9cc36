import { Type } from 'typebox';
import type { Database } from '../../db/database.ts';
import { type BodyConfig, declaredOnly } from '../../http/body.ts';
import type { AnswerOnce } from '../../http/idempotency.ts';
import { PageQuery, pageEnvelope, pageOf, readPageQuery } from '../../http/paging.ts';
import { badRequest, IdempotencyHeaders, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { schemasOf } from '../../lists/filters.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { claimOf, markReplay } from '../../programs/answer-request.ts';
import type { Vault } from '../../vault/vault.ts';
import { MOST_OPEN, MOST_ROWS } from './batch.ts';
import { createBatch } from './create-batch.ts';
import { ROW_FILTERS } from './filters.ts';
import { listRows } from './list-rows.ts';
import { listCardBatches, retrieveBatch } from './read-batches.ts';
import { BatchPath, CardBatch, CardBatchBody, CardBatchRow, EXAMPLE_BATCH, EXAMPLE_ROW } from './schema.ts';

export interface BatchRouteServices {
  db: Database;
  vault: Vault;
  answerOnce: AnswerOnce;
  publicUrl: string;
  onError: (error: unknown) => void;
}

export const BATCH_BOUNDS = { bytes: 2 * 1024 * 1024, values: 50_000 };
const PATH = '/api/v1/merchant/card-batches/';

/** Many cards at once, created in the background. */
export function batchRoutes(app: App, services: BatchRouteServices): void {
  const tags = ['Cards'];

  app.post(
    '/card-batches/',
    {
      config: { scope: 'write', role: 'manager', bodyBounds: BATCH_BOUNDS } satisfies Access & BodyConfig,
      schema: {
        tags,
        operationId: 'createCardBatch',
        summary: 'Create up to 1,000 cards in the background',
        description: `The shape of every row is checked at once: if one is wrong, the error names it (\`cards[3].kyc.dob\`) and nothing is created. Then each row becomes a card, or gets the error that a single creation would have returned. \`card_batch.completed\` says when all are done. The body has at most 2 MiB and 50,000 values. A program can have ${MOST_OPEN} batches in progress; more return 429.`,
        headers: IdempotencyHeaders,
        body: CardBatchBody,
        response: {
          202: success(CardBatch, 'The rows are stored', EXAMPLE_BATCH),
          ...badRequest(
            [400, 'cards[3].kyc.dob: must be a valid date, as YYYY-MM-DD'],
            [400, `cards: must have at most ${MOST_ROWS} items`],
          ),
          ...refusal(413, 'The body is over 2 MiB', `body: must be at most ${BATCH_BOUNDS.bytes} bytes`),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const claim = claimOf(request, { endpoint: 'POST card-batches', request: body });
      const answered = services.answerOnce(claim, (remember) =>
        createBatch(services, actorOf(request), declaredOnly(CardBatchBody, body).cards, remember),
      );
      return reply.code(202).send(await markReplay(reply, answered));
    },
  );

  app.get(
    '/card-batches/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags,
        operationId: 'listCardBatches',
        summary: 'List card batches',
        description: 'Newest first.',
        querystring: PageQuery,
        response: {
          200: pageOf(CardBatch, 'A page of card batches, newest first', EXAMPLE_BATCH),
          ...badRequest([400, 'page: must be at least 1']),
        },
      },
    },
    async (request) => {
      const page = readPageQuery(request.query);
      const { count, batches } = await listCardBatches(services, actorOf(request), page);
      return pageEnvelope(services.publicUrl + PATH, request.query, page.pageSize, count, batches);
    },
  );

  app.get(
    '/card-batches/:batchId/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags,
        operationId: 'retrieveCardBatch',
        summary: 'Get the progress of a card batch',
        params: BatchPath,
        response: { 200: success(CardBatch, 'The batch', EXAMPLE_BATCH) },
      },
    },
    async (request) => retrieveBatch(services.db, actorOf(request), request.params.batchId),
  );

  app.get(
    '/card-batches/:batchId/rows/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags,
        operationId: 'listCardBatchRows',
        summary: 'List the rows of a card batch',
        description: 'In the order of the request, each with its card or its error.',
        params: BatchPath,
        querystring: Type.Object({ ...schemasOf(ROW_FILTERS), ...PageQuery.properties }),
        response: {
          200: pageOf(CardBatchRow, 'A page of rows', EXAMPLE_ROW),
          ...badRequest([400, 'status: must be one of PENDING, CREATED, FAILED']),
        },
      },
    },
    async (request) => {
      const { batchId } = request.params;
      const page = readPageQuery(request.query);
      const { rows, found } = await listRows(services, actorOf(request), batchId, page, request.query);
      const url = `${services.publicUrl}${PATH}${batchId}/rows/`;
      return pageEnvelope(url, request.query, page.pageSize, found.count, rows, { found });
    },
  );
}
