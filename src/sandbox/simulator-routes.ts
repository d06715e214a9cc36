import type { TSchema } from 'typebox';
import type { Message } from '../authorizations/core/message.ts';
import { type Submit, usualDeadline } from '../authorizations/engine/engine.ts';
import { messageData, presentedData } from '../cards/network-data-schema.ts';
import type { Refusal, SlowGuessing } from '../cards/slow-guessing.ts';
import { secretField } from '../http/body.ts';
import type { NumberFields } from '../http/card-numbers.ts';
import type { AnswerById } from '../http/idempotency.ts';
import type { Claim } from '../http/idempotency-record.ts';
import { badRequest, conflict, IdempotencyHeaders, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { newId } from '../kernel/ids.ts';
import {
  EXAMPLE_APPROVAL,
  EXAMPLE_CLEARING,
  EXAMPLE_INCREMENT,
  EXAMPLE_REFUND,
  EXAMPLE_REVERSAL,
} from '../network/http/examples.ts';
import {
  presentAuthorization,
  presentClearing,
  presentIncrement,
  presentRefund,
  presentReversal,
} from '../network/http/present-response.ts';
import {
  AuthorizationResponse,
  ClearingResponse,
  IncrementResponse,
  RefundResponse,
  ReversalResponse,
} from '../network/http/schema.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { claimOf, markReplay } from '../programs/answer-request.ts';
import type { Program } from '../programs/program.ts';
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
  services: SimulatorServices & { submit: Submit; slowGuessing: SlowGuessing; answerById: AnswerById },
): void {
  const submit = <M extends Message>(program: Program, message: M) =>
    services.submit(program, message, { source: 'sandbox', deadline: usualDeadline() });
  const response = (answer: TSchema, words: string, example: unknown, idField: string) => ({
    200: success(answer, words, example),
    ...badRequest([400, 'amount: must be a decimal of at least 0, such as "12.50"']),
    ...conflict(idField, 'Idempotency-Key'),
  });
  const access = <
    Operation extends `simulate${'Authorization' | 'Increment' | 'Reversal' | 'Clearing' | 'Refund'}`,
  >(
    operationId: Operation,
  ) =>
    ({
      scope: 'write',
      role: 'manager',
      audit: { action: `console.${operationId}` as const, fields: ['transaction_id', 'amount', 'currency'] },
    }) as const satisfies Access;

  /** The engine commits the message in its own transaction, and finds a repeated one by the message's id. */
  const answerOnce = <Answer>(
    request: Parameters<typeof claimOf>[0] & { body: unknown },
    reply: Parameters<typeof markReplay>[0],
    idPrefix: string,
    send: (newMessageId: string) => Promise<Answer>,
    secrets: Claim['secrets'] = [],
  ): Promise<Answer> => {
    const claim = claimOf(request, { endpoint: `POST sandbox ${idPrefix}`, request: request.body, secrets });
    const newMessageId = () => `${idPrefix}-${newId(actorOf(request).now())}`;
    return markReplay(reply, services.answerById(claim, newMessageId, send));
  };

  app.post(
    '/authorizations/',
    {
      config: {
        ...access('simulateAuthorization'),
        numbersIn: ['merchant', 'stand_in', ...Object.keys(messageData)],
      } satisfies NumberFields,
      schema: {
        operationId: 'simulateAuthorization',
        summary: 'Simulate an authorization',
        description:
          'Uses the same engine and returns the same response as the network API. Missing values are filled in.',
        headers: IdempotencyHeaders,
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
      const { program } = actorOf(request);
      const cvv = secretField(request, 'cvv');
      let refusal: Refusal = { reason: null };
      const authorize = async (id: string) => {
        const response = await submit(program, await swipe(services, program, request.body, id, { cvv }));
        refusal = { reason: response.declineReason, wrongEntries: response.wrongEntries };
        return presentAuthorization(response);
      };
      const answer = await answerOnce(request, reply, 'auth', authorize, [cvv]);
      await services.slowGuessing(program.id, undefined, refusal, reply.elapsedTime);
      return answer;
    },
  );

  app.post(
    '/increments/',
    {
      config: {
        ...access('simulateIncrement'),
        numbersIn: Object.keys(messageData),
      } satisfies NumberFields,
      schema: {
        operationId: 'simulateIncrement',
        summary: 'Simulate an increment',
        description: 'Raises the hold of a purchase.',
        headers: IdempotencyHeaders,
        body: SwipeIncrementBody,
        response: response(IncrementResponse, 'Approved or declined', EXAMPLE_INCREMENT, 'increment_id'),
      },
    },
    async (request, reply) =>
      answerOnce(request, reply, 'inc', async (id) => {
        const { program } = actorOf(request);
        const message = await swipeIncrement(services, program, request.body, id);
        return presentIncrement(message, await submit(program, message));
      }),
  );

  app.post(
    '/reversals/',
    {
      config: access('simulateReversal'),
      schema: {
        operationId: 'simulateReversal',
        summary: 'Simulate a reversal',
        description: 'Releases all or part of the hold, or takes back a clearing or a refund.',
        headers: IdempotencyHeaders,
        body: SwipeReversalBody,
        response: response(ReversalResponse, 'Reversed', EXAMPLE_REVERSAL, 'reversal_id'),
      },
    },
    async (request, reply) =>
      answerOnce(request, reply, 'rev', async (id) => {
        const { program } = actorOf(request);
        const message = await swipeReversal(services, program, request.body, id);
        return presentReversal(message, await submit(program, message));
      }),
  );

  app.post(
    '/clearings/',
    {
      config: {
        ...access('simulateClearing'),
        numbersIn: Object.keys(presentedData),
      } satisfies NumberFields,
      schema: {
        operationId: 'simulateClearing',
        summary: 'Simulate a clearing',
        description: 'Without an amount, clears the full authorized amount.',
        headers: IdempotencyHeaders,
        body: SwipeClearingBody,
        response: response(ClearingResponse, 'Cleared', EXAMPLE_CLEARING, 'clearing_id'),
      },
    },
    async (request, reply) =>
      answerOnce(request, reply, 'clr', async (id) => {
        const { program } = actorOf(request);
        const message = await swipeClearing(services, program, request.body, id);
        return presentClearing(message, await submit(program, message));
      }),
  );

  app.post(
    '/refunds/',
    {
      config: {
        ...access('simulateRefund'),
        numbersIn: Object.keys(presentedData),
      } satisfies NumberFields,
      schema: {
        operationId: 'simulateRefund',
        summary: 'Simulate a refund',
        description: 'Without an amount, refunds the full cleared amount.',
        headers: IdempotencyHeaders,
        body: SwipeRefundBody,
        response: response(RefundResponse, 'Refunded', EXAMPLE_REFUND, 'refund_id'),
      },
    },
    async (request, reply) =>
      answerOnce(request, reply, 'ref', async (id) => {
        const { program } = actorOf(request);
        const message = await swipeRefund(services, program, request.body, id);
        return presentRefund(message, await submit(program, message));
      }),
  );
}
