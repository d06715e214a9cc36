import { declaredOnly } from '../http/body.ts';
import type { NumberFields } from '../http/card-numbers.ts';
import { sendFleeting } from '../http/fleeting.ts';
import type { AnswerOnce } from '../http/idempotency.ts';
import { PageQuery, pageEnvelope, pageOf, readPageQuery } from '../http/paging.ts';
import { badRequest, errorResponses, IdempotencyHeaders, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import type { Caller, Scope } from '../programs/program.ts';
import { CVV_DESTROYED } from '../vault/vault.ts';
import { adjustBalance } from './adjust-balance.ts';
import type { AuditRefusedReveal } from './audit-refused-reveal.ts';
import { blockCard } from './block-card.ts';
import { actOf, BLOCK_REASONS } from './card.ts';
import { type CreateCardServices, createCard } from './create-card.ts';
import { EXAMPLE_ADJUSTMENT, EXAMPLE_CARD_ANSWER, EXAMPLE_DETAILS } from './examples.ts';
import { freezeCard } from './freeze-card.ts';
import { listCards } from './list-cards.ts';
import { reissueCard } from './reissue-card.ts';
import { retrieveCard } from './retrieve-card.ts';
import { type RevealServices, revealCredentials } from './reveal-credentials.ts';
import {
  AdjustmentAnswer,
  AdjustmentBody,
  BlockBody,
  Card,
  CardDetails,
  CardPath,
  CreateCardBody,
  Credentials,
  FreezeAnswer,
  FreezeBody,
  MessageAnswer,
  ReissueBody,
  SpendControls,
  SpendControlsBody,
} from './schema.ts';
import { changeSpendControls } from './spend-controls.ts';

export interface CardRouteServices extends CreateCardServices, RevealServices {
  auditRefusedReveal: AuditRefusedReveal;
  answerOnce: AnswerOnce;
  publicUrl: string;
  onError: (error: unknown) => void;
}

/** Refusals that a card's state brings; their codes are not the HTTP status. */
const UNUSABLE_CARD: Array<[code: number, message: string]> = [
  ...Object.values(BLOCK_REASONS).map(({ code, message }): [number, string] => [code, message]),
  [54, 'Card is expired'],
];

export function cardRoutes(app: App, services: CardRouteServices): void {
  const tags = ['Cards'];
  const scope = (name: Scope, fields: NumberFields = {}) => ({ config: { scope: name, ...fields } });
  const act = (request: { id: string; getDecorator: <T>(name: string) => T }) =>
    actOf(request.getDecorator<Caller>('caller'), request.id);

  app.post(
    '/cards/',
    {
      ...scope('write'),
      schema: {
        tags,
        operationId: 'createCard',
        summary: 'Create card',
        description:
          'Card number, CVV and expiry are available at once. Send an Idempotency-Key to retry safely.',
        headers: IdempotencyHeaders,
        body: CreateCardBody,
        response: {
          201: success(Card, 'The card was made', EXAMPLE_CARD_ANSWER),
          ...badRequest(
            [400, 'cardType: is required'],
            [400, "kyc.lastName: differs from the KYC provider's record"],
          ),
          ...errorResponses(401, 403, 409, 413, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const claim = { ...claimOf(request), endpoint: 'POST cards', request: request.body };
      const { answer, replayed } = await services.answerOnce(claim, (remember) =>
        createCard(services, act(request), declaredOnly(CreateCardBody, request.body), remember),
      );
      if (replayed) reply.header('idempotent-replayed', 'true');
      return reply.code(201).send(answer);
    },
  );

  app.get(
    '/cards/',
    {
      ...scope('read'),
      schema: {
        tags,
        operationId: 'listCards',
        summary: 'List cards',
        description: 'Newest first. Following `next` meets every card once, even while new ones are made.',
        querystring: PageQuery,
        response: {
          200: success(pageOf(Card), 'A page of cards, newest first', {
            results: [EXAMPLE_CARD_ANSWER],
            count: 1,
            next: null,
            previous: null,
          }),
          ...badRequest([400, 'page: must be at least 1']),
          ...errorResponses(401, 403, 500, 503),
        },
      },
    },
    async (request) => {
      const page = readPageQuery(request.query);
      const { count, cards } = await listCards(services, act(request), page);
      const url = `${services.publicUrl}/api/v1/merchant/cards/`;
      return pageEnvelope(url, request.query, page.pageSize, count, cards);
    },
  );

  app.get(
    '/cards/:cardId/',
    {
      ...scope('read'),
      schema: {
        tags,
        operationId: 'retrieveCard',
        summary: 'Retrieve card',
        params: CardPath,
        response: {
          200: success(CardDetails, 'The card', EXAMPLE_DETAILS),
          ...errorResponses(401, 403, 404, 500, 503),
        },
      },
    },
    async (request) => retrieveCard(services, act(request), request.params.cardId),
  );

  app.get(
    '/cards/:cardId/credentials/',
    {
      ...scope('credentials'),
      onError: services.auditRefusedReveal,
      schema: {
        tags,
        operationId: 'revealCredentials',
        summary: 'Reveal card number, CVV and expiry',
        description: 'Needs the scope `credentials`. Every call is audited; the answer must not be stored.',
        params: CardPath,
        response: {
          200: success(Credentials, 'Number, CVV and expiry', {
            cardNumber: '9999000000000000',
            cvv: '123',
            expiryMonth: 11,
            expiryYear: 2029,
            expiryDate: '2029-11-15',
          }),
          ...refusal(409, 'Its CVV is destroyed', CVV_DESTROYED),
          ...errorResponses(401, 403, 404, 500, 503),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const json = await revealCredentials(services, act(request), request.params.cardId);
      return sendFleeting(reply, json) as never;
    },
  );

  app.put(
    '/cards/:cardId/freeze/',
    {
      ...scope('write'),
      schema: {
        tags,
        operationId: 'freezeCard',
        summary: 'Freeze or unfreeze card',
        params: CardPath,
        body: FreezeBody,
        response: {
          200: success(FreezeAnswer, 'The card is as asked', { freeze: true, message: 'Card is frozen' }),
          ...badRequest([400, 'freeze: must be a boolean'], ...UNUSABLE_CARD),
          ...errorResponses(401, 403, 404, 413, 500, 503),
        },
      },
    },
    async (request) => freezeCard(services.db, act(request), request.params.cardId, request.body.freeze),
  );

  app.put(
    '/cards/:cardId/block/',
    {
      ...scope('write', { numbersIn: ['reason'] }),
      schema: {
        tags,
        operationId: 'blockCard',
        summary: 'Block card, for good',
        description: 'Every later authorization is declined with R8. No merchant call undoes it.',
        params: CardPath,
        body: BlockBody,
        response: {
          200: success(MessageAnswer, 'The card is blocked', { message: 'Card is blocked' }),
          ...badRequest([400, 'reason: is required']),
          ...errorResponses(401, 403, 404, 413, 500, 503),
        },
      },
    },
    async (request) => {
      const { reason, reasonCode } = request.body;
      return blockCard(services.db, act(request), request.params.cardId, reason, reasonCode);
    },
  );

  app.put(
    '/cards/:cardId/replace/',
    {
      ...scope('write'),
      schema: {
        tags,
        operationId: 'reissueCard',
        summary: 'Reissue card',
        description: 'New credentials under the same card id; the old ones are declined from that instant.',
        params: CardPath,
        headers: IdempotencyHeaders,
        body: ReissueBody,
        response: {
          200: success(MessageAnswer, 'The card is reissued', {
            message: 'Card is reissued with new credentials',
          }),
          ...badRequest([400, 'shippingInformation: is required for a physical card'], ...UNUSABLE_CARD),
          ...errorResponses(401, 403, 404, 409, 413, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { cardId } = request.params;
      const claim = { ...claimOf(request), endpoint: 'PUT replace', request: { cardId, body: request.body } };
      const { answer, replayed } = await services.answerOnce(claim, (remember) =>
        reissueCard(services, act(request), cardId, declaredOnly(ReissueBody, request.body), remember),
      );
      if (replayed) reply.header('idempotent-replayed', 'true');
      return answer;
    },
  );

  app.put(
    '/cards/:cardId/spend-controls/',
    {
      ...scope('write'),
      schema: {
        tags,
        operationId: 'changeSpendControls',
        summary: 'Change spend controls',
        description:
          'Changes what is given and leaves the rest. Limits count what was approved and not reversed, by UTC day and month.',
        params: CardPath,
        body: SpendControlsBody,
        response: {
          200: success(SpendControls, 'The controls as they are now', EXAMPLE_DETAILS.spendControls),
          ...badRequest([400, 'dailyLimit: must be at least 0']),
          ...errorResponses(401, 403, 404, 413, 500, 503),
        },
      },
    },
    async (request) => changeSpendControls(services.db, act(request), request.params.cardId, request.body),
  );

  app.post(
    '/cards/:cardId/balance-adjustments/',
    {
      ...scope('write', { numbersIn: ['reference'] }),
      schema: {
        tags,
        operationId: 'adjustBalance',
        summary: 'Adjust available credit',
        description: 'Up or down, never below 0. Send an Idempotency-Key to retry safely.',
        params: CardPath,
        headers: IdempotencyHeaders,
        body: AdjustmentBody,
        response: {
          201: success(AdjustmentAnswer, 'The balance is adjusted', EXAMPLE_ADJUSTMENT),
          ...badRequest([400, 'amount: must leave at least 0 of the available 250.00']),
          ...errorResponses(401, 403, 404, 409, 413, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { cardId } = request.params;
      const claim = {
        ...claimOf(request),
        endpoint: 'POST balance-adjustments',
        request: { cardId, body: request.body },
      };
      const { answer, replayed } = await services.answerOnce(claim, (remember) =>
        adjustBalance(services.db, act(request), cardId, request.body, remember),
      );
      if (replayed) reply.header('idempotent-replayed', 'true');
      return reply.code(201).send(answer);
    },
  );
}

function claimOf(request: { headers: Record<string, unknown>; getDecorator: <T>(name: string) => T }) {
  return {
    programId: request.getDecorator<Caller>('caller').program.id,
    key: request.headers['idempotency-key'] as string | string[] | undefined,
  };
}
