import type { TSchema } from 'typebox';
import type { Message } from '../../authorizations/core/message.ts';
import { type Submit, usualDeadline } from '../../authorizations/engine/engine.ts';
import { messageData, presentedData } from '../../cards/network-data-schema.ts';
import type { SlowGuessing } from '../../cards/slow-guessing.ts';
import { secretField } from '../../http/body.ts';
import type { NumberFields } from '../../http/card-numbers.ts';
import { badRequest, conflict, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Metrics } from '../../kernel/metric.ts';
import { actorOf } from '../../programs/actor.ts';
import type { Program } from '../../programs/program.ts';
import type { Vault } from '../../vault/vault.ts';
import {
  EXAMPLE_APPROVAL,
  EXAMPLE_CLEARING,
  EXAMPLE_INCREMENT,
  EXAMPLE_REFUND,
  EXAMPLE_REVERSAL,
} from './examples.ts';
import {
  presentAuthorization,
  presentClearing,
  presentIncrement,
  presentRefund,
  presentReversal,
} from './present-response.ts';
import {
  type Reading,
  readAuthorization,
  readClearing,
  readIncrement,
  readRefund,
  readReversal,
} from './read-message.ts';
import { UNKNOWN_WORDS } from './read-message-data.ts';
import {
  AuthorizationBody,
  AuthorizationResponse,
  ClearingBody,
  ClearingResponse,
  IncrementBody,
  IncrementResponse,
  RefundBody,
  RefundResponse,
  ReversalBody,
  ReversalResponse,
} from './schema.ts';

export interface NetworkServices {
  vault: Vault;
  submit: Submit;
  slowGuessing: SlowGuessing;
  metrics: Metrics;
}

/** The network API, with a network key. */
export function networkRoutes(app: App, { vault, submit, slowGuessing, metrics }: NetworkServices): void {
  const readingOf = (program: Program): Reading => ({
    vault,
    program,
    onUnknown: (field) => metrics.count(UNKNOWN_WORDS, { field }),
  });
  const send = <M extends Message>(program: Program, message: M) =>
    submit(program, message, { source: 'network', deadline: usualDeadline() });
  const secretsOf = (request: object) => ({
    number: secretField(request, 'card_number'),
    cvv: secretField(request, 'cvv'),
  });
  const responses = (schema: TSchema, words: string, example: unknown, bad: string, idField: string) => ({
    200: success(schema, words, example),
    ...badRequest([400, bad]),
    ...conflict(idField),
  });

  app.post(
    '/authorizations/',
    {
      config: {
        numbersIn: ['card_number', 'merchant', 'stand_in', ...Object.keys(messageData)],
      } satisfies NumberFields,
      schema: {
        operationId: 'authorize',
        summary: 'Authorize a purchase',
        description:
          'Returns 200 for approvals and declines. Idempotent by `external_transaction_id`, an advice by `advice_id`. An approval is stored durably before the response is sent. A zero amount is an account check.',
        body: AuthorizationBody,
        response: responses(
          AuthorizationResponse,
          'Approved or declined',
          EXAMPLE_APPROVAL,
          'amount: must have at most 2 decimals in EUR',
          'external_transaction_id',
        ),
      },
    },
    async (request, reply) => {
      const { program } = actorOf(request);
      const message = await readAuthorization(readingOf(program), request.body, secretsOf(request));
      const response = await send(program, message);
      const refusal = { reason: response.declineReason, wrongEntries: response.wrongEntries };
      await slowGuessing(program.id, request.body.merchant.id, refusal, reply.elapsedTime);
      return presentAuthorization(response);
    },
  );

  app.post(
    '/increments/',
    {
      config: { numbersIn: Object.keys(messageData) } satisfies NumberFields,
      schema: {
        operationId: 'increment',
        summary: 'Raise a hold',
        description:
          'Idempotent by `increment_id`. Decided like an authorization; a declined increment leaves the hold as it was.',
        body: IncrementBody,
        response: responses(
          IncrementResponse,
          'Approved or declined',
          EXAMPLE_INCREMENT,
          'external_transaction_id: is not a purchase in this program',
          'increment_id',
        ),
      },
    },
    async (request) => {
      const { program } = actorOf(request);
      const message = readIncrement(readingOf(program), request.body);
      return presentIncrement(message, await send(program, message));
    },
  );

  app.post(
    '/reversals/',
    {
      schema: {
        operationId: 'reverse',
        summary: 'Reverse a hold, a clearing or a refund',
        description:
          'Idempotent by `reversal_id`. Releases all or part of a hold; with `increment_id` beside it, of that increment; with `clearing_id` or `refund_id`, takes back all or part of that clearing or refund, with its fees and interchange. `bill_amount` in the response is the amount that was reversed. A reversal that arrives before its authorization is stored, and the authorization is then declined.',
        body: ReversalBody,
        response: responses(
          ReversalResponse,
          'Reversed',
          EXAMPLE_REVERSAL,
          'bill_amount: must be greater than 0',
          'reversal_id',
        ),
      },
    },
    async (request) => {
      const { program } = actorOf(request);
      const message = readReversal(readingOf(program), request.body);
      return presentReversal(message, await send(program, message));
    },
  );

  app.post(
    '/clearings/',
    {
      config: {
        numbersIn: ['card_number', 'merchant', ...Object.keys(presentedData)],
      } satisfies NumberFields,
      schema: {
        operationId: 'clear',
        summary: 'Clear a purchase',
        description:
          'Idempotent by `clearing_id`. A hold can have several clearings, above or below its amount and after it expired. A clearing without an authorization requires `card_number`. A clearing is never rejected for insufficient funds. One of a number that no card has is taken into suspense: `transaction_id` is null.',
        body: ClearingBody,
        response: responses(
          ClearingResponse,
          'Cleared',
          EXAMPLE_CLEARING,
          'card_number: is required for a clearing without an authorization',
          'clearing_id',
        ),
      },
    },
    async (request) => {
      const { program } = actorOf(request);
      const message = await readClearing(readingOf(program), request.body, secretsOf(request));
      return presentClearing(message, await send(program, message));
    },
  );

  app.post(
    '/refunds/',
    {
      config: {
        numbersIn: ['card_number', 'merchant', ...Object.keys(presentedData)],
      } satisfies NumberFields,
      schema: {
        operationId: 'refund',
        summary: 'Refund a purchase',
        description:
          'Idempotent by `refund_id`. A refund is a separate transaction, unless it names a `CREDIT`: then the money moves in that one. It names its purchase, or the card if there is no purchase; one that comes before its purchase is linked to it later. One of a number that no card has is taken into suspense: `transaction_id` is null.',
        body: RefundBody,
        response: responses(
          RefundResponse,
          'Refunded',
          EXAMPLE_REFUND,
          'card_number: is required without external_transaction_id',
          'refund_id',
        ),
      },
    },
    async (request) => {
      const { program } = actorOf(request);
      const message = await readRefund(readingOf(program), request.body, secretsOf(request));
      return presentRefund(message, await send(program, message));
    },
  );
}
