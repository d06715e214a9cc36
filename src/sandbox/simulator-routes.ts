import type { TSchema } from 'typebox';
import {
  EXAMPLE_APPROVAL,
  EXAMPLE_CLEARING,
  EXAMPLE_REFUND,
  EXAMPLE_REVERSAL,
} from '../authorizations/network/examples.ts';
import {
  AuthorizationResponse,
  ClearingResponse,
  RefundResponse,
  ReversalResponse,
} from '../authorizations/network/schema.ts';
import type { SlowGuessing } from '../authorizations/network/slow-guessing.ts';
import { secretField } from '../http/body.ts';
import type { NumberFields } from '../http/card-numbers.ts';
import { badRequest, conflict, errorResponses, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import type { Caller } from '../programs/program.ts';
import { type SimulatorServices, swipe, swipeClearing, swipeRefund, swipeReversal } from './simulator.ts';
import { SwipeBody, SwipeClearingBody, SwipeRefundBody, SwipeReversalBody } from './simulator-schema.ts';

/** Swipe a card, and go on as a merchant and its network would. */
export function simulatorRoutes(
  app: App,
  services: SimulatorServices & { slowGuessing: SlowGuessing },
): void {
  const callerOf = (request: { getDecorator: <T>(name: string) => T }) =>
    request.getDecorator<Caller>('caller');
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
  const config = { scope: 'write' };

  app.post(
    '/authorizations/',
    {
      config: { ...config, numbersIn: ['merchant'] } satisfies NumberFields,
      schema: {
        ...about(
          'simulateAuthorization',
          'Swipe a card',
          'The same engine and the same answer as for the network. Whatever is absent is made up.',
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
      const caller = callerOf(request);
      const { body } = request;
      const answer = await swipe(services, caller, body, { cvv: secretField(request, 'cvv') });
      await services.slowGuessing(caller.program.id, undefined, answer, reply.elapsedTime);
      return answer;
    },
  );

  app.post(
    '/reversals/',
    {
      config,
      schema: {
        ...about('simulateReversal', 'Reverse an authorization', 'All of the hold, or part of it.'),
        body: SwipeReversalBody,
        response: response(ReversalResponse, 'Released', EXAMPLE_REVERSAL, 'reversal_id'),
      },
    },
    async (request) => swipeReversal(services, callerOf(request), request.body),
  );

  app.post(
    '/clearings/',
    {
      config,
      schema: {
        ...about('simulateClearing', 'Clear an authorization', 'Without an amount, all that was authorized.'),
        body: SwipeClearingBody,
        response: response(ClearingResponse, 'Cleared', EXAMPLE_CLEARING, 'clearing_id'),
      },
    },
    async (request) => swipeClearing(services, callerOf(request), request.body),
  );

  app.post(
    '/refunds/',
    {
      config,
      schema: {
        ...about('simulateRefund', 'Refund a purchase', 'Without an amount, all that was cleared.'),
        body: SwipeRefundBody,
        response: response(RefundResponse, 'Refunded', EXAMPLE_REFUND, 'refund_id'),
      },
    },
    async (request) => swipeRefund(services, callerOf(request), request.body),
  );
}
