import { Type } from 'typebox';
import { declaredOnly } from '../http/body.ts';
import type { NumberFields } from '../http/card-numbers.ts';
import { sendFleeting } from '../http/fleeting.ts';
import type { AnswerOnce } from '../http/idempotency.ts';
import { PageQuery, pageEnvelope, pageOf, readPageQuery } from '../http/paging.ts';
import { badRequest, IdempotencyHeaders, Message, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { schemasOf } from '../lists/filters.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { claimOf, markReplay } from '../programs/answer-request.ts';
import type { MakeOrRequest } from '../programs/second-person.ts';
import { CVV_DESTROYED } from '../vault/vault.ts';
import { adjustmentRoutes } from './adjustment-routes.ts';
import type { AuditRefusedReveal } from './audit-refused-reveal.ts';
import { blockCard } from './block-card.ts';
import { UNUSABLE_CARD } from './card.ts';
import { changeContact } from './change-contact.ts';
import { type CreateCardServices, createCard } from './create-card.ts';
import { EXAMPLE_CARD_ANSWER, EXAMPLE_CONTACT, EXAMPLE_CREDENTIALS, EXAMPLE_DETAILS } from './examples.ts';
import { CARD_FILTERS } from './filters.ts';
import { forwardingRoutes } from './forwarding-routes.ts';
import { freezeCard } from './freeze-card.ts';
import { listCards } from './list-cards.ts';
import { metadataRoutes } from './metadata-routes.ts';
import { reissueCard } from './reissue-card.ts';
import { retrieveCard } from './retrieve-card.ts';
import { type RevealServices, revealCredentials } from './reveal-credentials.ts';
import {
  BlockBody,
  Card,
  CardDetails,
  CardPath,
  ContactBody,
  CreateCardBody,
  Credentials,
  FreezeBody,
  FreezeCardResponse,
  ReissueBody,
  SpendControls,
  SpendControlsBody,
} from './schema.ts';
import { changeSpendControls } from './spend-controls.ts';

export interface CardRouteServices extends CreateCardServices {
  answerOnce: AnswerOnce;
  publicUrl: string;
  onError: (error: unknown) => void;
  makeOrRequest?: MakeOrRequest | undefined;
}

export function cardRoutes(app: App, services: CardRouteServices): void {
  const tags = ['Cards'];

  app.post(
    '/cards/',
    {
      config: { scope: 'write', role: 'manager' } satisfies Access,
      schema: {
        tags,
        operationId: 'createCard',
        summary: 'Create card',
        description:
          'Card number, CVV and expiry are available immediately. Send an Idempotency-Key to retry safely.',
        headers: IdempotencyHeaders,
        body: CreateCardBody,
        response: {
          201: success(Card, 'The card was created', EXAMPLE_CARD_ANSWER),
          ...badRequest(
            [400, 'cardType: is required'],
            [400, "kyc.lastName: differs from the KYC provider's record"],
          ),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const claim = claimOf(request, { endpoint: 'POST cards', request: body });
      const answered = services.answerOnce(claim, (remember) =>
        createCard(services, actorOf(request), declaredOnly(CreateCardBody, body), remember),
      );
      return reply.code(201).send(await markReplay(reply, answered));
    },
  );

  app.get(
    '/cards/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags,
        operationId: 'listCards',
        summary: 'List cards',
        description:
          'Newest first. Following `next` returns every card exactly once, even while new cards are created.',
        querystring: Type.Object({ ...schemasOf(CARD_FILTERS), ...PageQuery.properties }),
        response: {
          200: pageOf(Card, 'A page of cards, newest first', EXAMPLE_CARD_ANSWER),
          ...badRequest([400, 'page: must be at least 1']),
        },
      },
    },
    async (request) => {
      const page = readPageQuery(request.query);
      const { count, cards, found } = await listCards(services, actorOf(request), page, request.query);
      const url = `${services.publicUrl}/api/v1/merchant/cards/`;
      return pageEnvelope(url, request.query, page.pageSize, count, cards, { found });
    },
  );

  app.get(
    '/cards/:cardId/',
    {
      config: {
        scope: 'read',
        role: 'viewer',
        auditView: ({ id }: { id: string }) => ({ action: 'console.viewed_card', cardId: id }),
      } satisfies Access,
      schema: {
        tags,
        operationId: 'retrieveCard',
        summary: 'Retrieve card',
        params: CardPath,
        response: { 200: success(CardDetails, 'The card', EXAMPLE_DETAILS) },
      },
    },
    async (request) => retrieveCard(services, actorOf(request), request.params.cardId),
  );

  app.put(
    '/cards/:cardId/freeze/',
    {
      config: { scope: 'write', role: 'support' } satisfies Access,
      schema: {
        tags,
        operationId: 'freezeCard',
        summary: 'Freeze or unfreeze card',
        params: CardPath,
        body: FreezeBody,
        response: {
          200: success(FreezeCardResponse, 'The card is frozen or unfrozen', {
            freeze: true,
            message: 'Card is frozen',
          }),
          ...badRequest([400, 'freeze: must be a boolean'], ...UNUSABLE_CARD),
        },
      },
    },
    async (request) => {
      const { freeze, reason } = request.body;
      return freezeCard(services.db, actorOf(request), request.params.cardId, freeze, reason);
    },
  );

  app.put(
    '/cards/:cardId/block/',
    {
      config: { scope: 'write', role: 'manager', numbersIn: ['reason'] } satisfies Access & NumberFields,
      schema: {
        tags,
        operationId: 'blockCard',
        summary: 'Block card permanently',
        description: 'Every later authorization is declined with R8. A block cannot be undone.',
        params: CardPath,
        body: BlockBody,
        response: {
          200: success(Message, 'The card is blocked', { message: 'Card is blocked' }),
          ...badRequest([400, 'reason: is required']),
        },
      },
    },
    async (request) => {
      const { reason, reasonCode } = request.body;
      return blockCard(services.db, actorOf(request), request.params.cardId, reason, reasonCode);
    },
  );

  app.put(
    '/cards/:cardId/replace/',
    {
      config: { scope: 'write', role: 'support' } satisfies Access,
      schema: {
        tags,
        operationId: 'reissueCard',
        summary: 'Reissue card',
        description:
          'Creates new credentials under the same card id; the old ones are declined immediately. `IDENTICAL_TO_THE_CURRENT_CARD` keeps the credentials and orders another physical card. A virtual card needs no body.',
        params: CardPath,
        headers: IdempotencyHeaders,
        body: ReissueBody,
        response: {
          200: success(Message, 'The card is reissued', {
            message: 'Card is reissued with new credentials',
          }),
          ...badRequest([400, 'shippingInformation: is required for a physical card'], ...UNUSABLE_CARD),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { cardId } = request.params;
      const claim = claimOf(request, { endpoint: 'PUT replace', request: { cardId, body } });
      const answered = services.answerOnce(claim, (remember) =>
        reissueCard(services, actorOf(request), cardId, declaredOnly(ReissueBody, body), remember),
      );
      return markReplay(reply, answered);
    },
  );

  app.put(
    '/cards/:cardId/spend-controls/',
    {
      config: { scope: 'write', role: 'manager' } satisfies Access,
      schema: {
        tags,
        operationId: 'changeSpendControls',
        summary: 'Change spend controls',
        description:
          'Changes the given fields and keeps the others. Limits count approved amounts that were not reversed, by UTC day and month.',
        params: CardPath,
        body: SpendControlsBody,
        response: {
          200: success(SpendControls, 'The current spend controls', EXAMPLE_DETAILS.spendControls),
          ...badRequest(
            [400, 'dailyLimit: must be at least 0'],
            [400, 'temporaryLimits.dailyLimit.endsAt: must be at most 90 days ahead'],
          ),
        },
      },
    },
    async (request) =>
      changeSpendControls(services.db, actorOf(request), request.params.cardId, request.body),
  );

  app.put(
    '/cards/:cardId/contact/',
    {
      config: { scope: 'write', role: 'support' } satisfies Access,
      schema: {
        tags,
        operationId: 'changeContact',
        summary: "Change the cardholder's phone number or e-mail",
        description:
          'Changes the given fields of `meta` and keeps the others. Send at least one field. Null removes the e-mail.',
        params: CardPath,
        body: ContactBody,
        response: {
          200: success(CardDetails, 'The card with the new contact', {
            ...EXAMPLE_DETAILS,
            meta: { ...EXAMPLE_DETAILS.meta, ...EXAMPLE_CONTACT },
          }),
          ...badRequest([400, 'body: must have otpPhoneNumber or email']),
        },
      },
    },
    async (request) => {
      const { cardId } = request.params;
      const contact = declaredOnly(ContactBody, request.body);
      return changeContact(services, actorOf(request), cardId, contact);
    },
  );

  forwardingRoutes(app, services);
  metadataRoutes(app, services);
  adjustmentRoutes(app, services);
}

/** For merchants only: the console reveals numbers through its own route, which requires a reason. */
export function credentialRoutes(
  app: App,
  services: RevealServices & { auditRefusedReveal: AuditRefusedReveal },
): void {
  app.get(
    '/cards/:cardId/credentials/',
    {
      config: { scope: 'credentials' } satisfies Access,
      onError: services.auditRefusedReveal,
      schema: {
        tags: ['Cards'],
        operationId: 'revealCredentials',
        summary: 'Reveal card number, CVV and expiry',
        description: 'Requires the scope `credentials`. Every call is audited. Do not store the response.',
        params: CardPath,
        response: {
          200: success(Credentials, 'Number, CVV and expiry', EXAMPLE_CREDENTIALS),
          ...refusal(409, 'Its CVV is destroyed', CVV_DESTROYED),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const json = await revealCredentials(services, actorOf(request), request.params.cardId);
      return sendFleeting(reply, json) as never;
    },
  );
}
