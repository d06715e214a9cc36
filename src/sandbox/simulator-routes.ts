import type { TSchema } from 'typebox';
import {
  EXAMPLE_APPROVAL,
  EXAMPLE_CLEARING,
  EXAMPLE_INCREMENT,
  EXAMPLE_REFUND,
  EXAMPLE_REVERSAL,
} from '../authorizations/network/examples.ts';
import {
  AuthorizationResponse,
  ClearingResponse,
  IncrementResponse,
  RefundResponse,
  ReversalResponse,
} from '../authorizations/network/schema.ts';
import type { SlowGuessing } from '../authorizations/network/slow-guessing.ts';
import { secretField } from '../http/body.ts';
import type { NumberFields } from '../http/card-numbers.ts';
import { badRequest, conflict, errorResponses, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import {
  type SimulatorServices,
  swipe,
  swipeClearing,
  swipeIncrement,
  swipeRefund,
  swipeReversal,
} from './simulator.ts';
import {
  SwipeBody,
  SwipeClearingBody,
  SwipeIncrementBody,
  SwipeRefundBody,
  SwipeReversalBody,
} from './simulator-schema.ts';

/** Routes that simulate a card purchase and the later messages of the network. */
export function simulatorRoutes(
  app: App,
  services: SimulatorServices & { slowGuessing: SlowGuessing },
): void {
  const about = (operationId: string, summary: string, description: string) => ({
    tags: ['Sandbox'],
    operationId,
    summary,
    description,
  });
  const response = (answer: TSchema, words: string, example: unknown, idField: string) => ({
    200: success(answer, words, example),
    ...badRequest([400, 'amount: must be a decimal of at least 0, such as "12.50"']),
    ...conflict(idField),
    ...errorResponses(401, 403, 404, 413, 500, 503),
  });
  const access = (operationId: string) =>
    ({
      scope: 'write',
      role: 'admin',
      audit: { action: `console.${operationId}`, fields: ['transaction_id', 'amount', 'currency'] },
    }) as const satisfies Access;

  app.post(
    '/authorizations/',
    {
      config: {
        ...access('simulateAuthorization'),
        numbersIn: ['merchant', 'stand_in'],
      } satisfies NumberFields,
      schema: {
        ...about(
          'simulateAuthorization',
          'Simulate an authorization',
          'Uses the same engine and returns the same response as the network API. Missing values are filled in.',
        ),
        body: SwipeBody,
        response: response(
          AuthorizationResponse,
          'Approved or declined',
          EXAMPLE_APPROVAL,
          'external_transaction_id',
        ),
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const { body } = request;
      const answer = await swipe(services, actor, body, { cvv: secretField(request, 'cvv') });
      await services.slowGuessing(actor.program.id, undefined, answer, reply.elapsedTime);
      return answer;
    },
  );

  app.post(
    '/increments/',
    {
      config: access('simulateIncrement'),
      schema: {
        ...about('simulateIncrement', 'Simulate an increment', 'Raises the hold of a purchase.'),
        body: SwipeIncrementBody,
        response: response(IncrementResponse, 'Approved or declined', EXAMPLE_INCREMENT, 'increment_id'),
      },
    },
    async (request) => swipeIncrement(services, actorOf(request), request.body),
  );

  app.post(
    '/reversals/',
    {
      config: access('simulateReversal'),
      schema: {
        ...about(
          'simulateReversal',
          'Simulate a reversal',
          'Releases all or part of the hold, or takes back a clearing or a refund.',
        ),
        body: SwipeReversalBody,
        response: response(ReversalResponse, 'Reversed', EXAMPLE_REVERSAL, 'reversal_id'),
      },
    },
    async (request) => swipeReversal(services, actorOf(request), request.body),
  );

  app.post(
    '/clearings/',
    {
      config: access('simulateClearing'),
      schema: {
        ...about(
          'simulateClearing',
          'Simulate a clearing',
          'Without an amount, clears the full authorized amount.',
        ),
        body: SwipeClearingBody,
        response: response(ClearingResponse, 'Cleared', EXAMPLE_CLEARING, 'clearing_id'),
      },
    },
    async (request) => swipeClearing(services, actorOf(request), request.body),
  );

  app.post(
    '/refunds/',
    {
      config: access('simulateRefund'),
      schema: {
        ...about(
          'simulateRefund',
          'Simulate a refund',
          'Without an amount, refunds the full cleared amount.',
        ),
        body: SwipeRefundBody,
        response: response(RefundResponse, 'Refunded', EXAMPLE_REFUND, 'refund_id'),
      },
    },
    async (request) => swipeRefund(services, actorOf(request), request.body),
  );
}
