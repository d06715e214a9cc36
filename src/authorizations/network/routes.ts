import type { TSchema } from 'typebox';
import { secretField } from '../../http/body.ts';
import type { NumberFields } from '../../http/card-numbers.ts';
import { badRequest, conflict, errorResponses, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Caller } from '../../programs/program.ts';
import { EXAMPLE_APPROVAL, EXAMPLE_CLEARING, EXAMPLE_REFUND, EXAMPLE_REVERSAL } from './examples.ts';
import {
  type NetworkServices,
  submitAuthorization,
  submitClearing,
  submitRefund,
  submitReversal,
} from './network-api.ts';
import {
  AuthorizationBody,
  AuthorizationResponse,
  ClearingBody,
  ClearingResponse,
  RefundBody,
  RefundResponse,
  ReversalBody,
  ReversalResponse,
} from './schema.ts';
import type { SlowGuessing } from './slow-guessing.ts';

/** The network API, with a network key. */
export function networkRoutes(app: App, services: NetworkServices & { slowGuessing: SlowGuessing }): void {
  const callerOf = (request: { getDecorator: <T>(name: string) => T }) =>
    request.getDecorator<Caller>('caller');
  const secretsOf = (request: object) => ({
    number: secretField(request, 'card_number'),
    cvv: secretField(request, 'cvv'),
  });
  const responses = (schema: TSchema, words: string, example: unknown, bad: string, idField: string) => ({
    200: success(schema, words, example),
    ...badRequest([400, bad]),
    ...conflict(idField),
    ...errorResponses(401, 413, 500, 503),
  });

  app.post(
    '/authorizations/',
    {
      config: { numbersIn: ['card_number', 'merchant'] } satisfies NumberFields,
      schema: {
        tags: ['Network'],
        security: [{ networkKey: [] }],
        operationId: 'authorize',
        summary: 'Authorize',
        description:
          'Approved or declined, always with status 200. Idempotent by `external_transaction_id`. An approval is durable before the response. A zero amount checks the account.',
        body: AuthorizationBody,
        response: responses(
          AuthorizationResponse,
          'Approved or declined',
          EXAMPLE_APPROVAL,
          'amount: must have no more than the 2 decimals of EUR',
          'external_transaction_id',
        ),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const response = await submitAuthorization(services, caller, request.body, secretsOf(request));
      await services.slowGuessing(caller.program.id, request.body.merchant.id, response, reply.elapsedTime);
      return response;
    },
  );

  app.post(
    '/reversals/',
    {
      schema: {
        tags: ['Network'],
        security: [{ networkKey: [] }],
        operationId: 'reverse',
        summary: 'Reverse all or part of a hold',
        description:
          'Idempotent by `reversal_id`. `bill_amount` in the response is what was released. An authorization that arrives after its reversal is declined.',
        body: ReversalBody,
        response: responses(
          ReversalResponse,
          'Released',
          EXAMPLE_REVERSAL,
          'bill_amount: must be greater than 0',
          'reversal_id',
        ),
      },
    },
    async (request) => submitReversal(services, callerOf(request), request.body),
  );

  app.post(
    '/clearings/',
    {
      config: { numbersIn: ['card_number'] } satisfies NumberFields,
      schema: {
        tags: ['Network'],
        security: [{ networkKey: [] }],
        operationId: 'clear',
        summary: 'Clear',
        description:
          'Idempotent by `clearing_id`. One or several per hold, above or below it, late, or with no authorization at all (then with `card_number`). Never refused for lack of funds.',
        body: ClearingBody,
        response: responses(
          ClearingResponse,
          'Cleared',
          EXAMPLE_CLEARING,
          'card_number: is required for a clearing without authorization',
          'clearing_id',
        ),
      },
    },
    async (request) => submitClearing(services, callerOf(request), request.body, secretsOf(request)),
  );

  app.post(
    '/refunds/',
    {
      config: { numbersIn: ['card_number'] } satisfies NumberFields,
      schema: {
        tags: ['Network'],
        security: [{ networkKey: [] }],
        operationId: 'refund',
        summary: 'Refund',
        description:
          'Idempotent by `refund_id`. Creates a transaction of its own. Names the purchase, or the card where there is none.',
        body: RefundBody,
        response: responses(
          RefundResponse,
          'Refunded',
          EXAMPLE_REFUND,
          'card_number: is not a card in this program',
          'refund_id',
        ),
      },
    },
    async (request) => submitRefund(services, callerOf(request), request.body, secretsOf(request)),
  );
}
