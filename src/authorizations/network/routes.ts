import type { TSchema } from 'typebox';
import { secretField } from '../../http/body.ts';
import type { NumberFields } from '../../http/card-numbers.ts';
import { badRequest, conflict, errorResponses, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Caller } from '../../programs/program.ts';
import { EXAMPLE_APPROVAL, EXAMPLE_CLEARING, EXAMPLE_REFUND, EXAMPLE_REVERSAL } from './examples.ts';
import {
  type DoorServices,
  takeAuthorization,
  takeClearing,
  takeRefund,
  takeReversal,
} from './network-api.ts';
import {
  AuthorizationAnswer,
  AuthorizationBody,
  ClearingAnswer,
  ClearingBody,
  RefundAnswer,
  RefundBody,
  ReversalAnswer,
  ReversalBody,
} from './schema.ts';
import type { SlowGuessing } from './slow-guessing.ts';

/** The network's door: whatever sends us authorizations speaks here, with a network key. */
export function networkRoutes(app: App, services: DoorServices & { slowGuessing: SlowGuessing }): void {
  const callerOf = (request: { getDecorator: <T>(name: string) => T }) =>
    request.getDecorator<Caller>('caller');
  const secretsOf = (request: object) => ({
    number: secretField(request, 'card_number'),
    cvv: secretField(request, 'cvv'),
  });
  const response = (answer: TSchema, words: string, example: unknown, bad: string, idField: string) => ({
    200: success(answer, words, example),
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
          'Approved or declined, always 200. Idempotent by `external_transaction_id`. An approval is durable before it is answered. A zero amount checks the account.',
        body: AuthorizationBody,
        response: response(
          AuthorizationAnswer,
          'Approved or declined',
          EXAMPLE_APPROVAL,
          'amount: must have no more than the 2 decimals of EUR',
          'external_transaction_id',
        ),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const answer = await takeAuthorization(services, caller, request.body, secretsOf(request));
      await services.slowGuessing(caller.program.id, request.body.merchant.id, answer, reply.elapsedTime);
      return answer;
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
          'Idempotent by `reversal_id`. `bill_amount` of the answer is what was given back. Before its authorization it is remembered, and the authorization is declined when it comes.',
        body: ReversalBody,
        response: response(
          ReversalAnswer,
          'Given back',
          EXAMPLE_REVERSAL,
          'bill_amount: must be greater than 0',
          'reversal_id',
        ),
      },
    },
    async (request) => takeReversal(services, callerOf(request), request.body),
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
        response: response(
          ClearingAnswer,
          'Cleared',
          EXAMPLE_CLEARING,
          'card_number: is needed for a clearing without authorization',
          'clearing_id',
        ),
      },
    },
    async (request) => takeClearing(services, callerOf(request), request.body, secretsOf(request)),
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
          'Idempotent by `refund_id`. A transaction of its own; names its purchase, or the card where there is none.',
        body: RefundBody,
        response: response(
          RefundAnswer,
          'Refunded',
          EXAMPLE_REFUND,
          'card_number: is no card of this program',
          'refund_id',
        ),
      },
    },
    async (request) => takeRefund(services, callerOf(request), request.body, secretsOf(request)),
  );
}
