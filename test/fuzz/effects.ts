import { setTimeout as pause } from 'node:timers/promises';
import { registerKycApplicant } from './applicant-effect.ts';
import {
  type Accepted,
  type Ask,
  askConsole,
  CARDS,
  cardOf,
  differences,
  type Effect,
  type Json,
  type Look,
  minor,
  readCard,
  type Witnesses,
} from './effect.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { parse } from './judge.ts';
import { createKey, lookAtKey, revokeKey, rotateKey } from './key-effects.ts';
import { clearing, lookAtPurchase, refund } from './money-effects.ts';
import { kindOf } from './operations.ts';
import { type Pool, remember } from './pool.ts';
import { increment, lookAtReversed, reversal } from './presentment-effects.ts';
import {
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  signIn,
  signOut,
} from './session-effects.ts';
import {
  addWebhookEndpoint,
  enableWebhookEndpoint,
  lookAtEndpoint,
  lookAtEvent,
  lookAtMissed,
  removeWebhookEndpoint,
  resendMissedWebhookEvents,
  resendWebhookEvent,
  rotateWebhookSecret,
  testWebhookEndpoint,
} from './webhook-effects.ts';
import type { Reply } from './wire.ts';

const MADE_WITHIN_MS = 30_000;
const MASKED = /(?:\p{N}\P{N}*){12}/u;

/** Before a request is sent that may be accepted: what its effect will be held against. */
export async function lookBefore(request: FuzzRequest, pool: Pool, ask: Ask): Promise<Json> {
  const isReadable = request.operation.body === undefined || request.value !== undefined;
  const mayBeAccepted = request.isDocumented && request.refusedFor === undefined && isReadable;
  return mayBeAccepted ? LOOKS[kindOf(request.operation)]?.(request, pool, ask) : undefined;
}

/** What was accepted is there, as it was sent. Also keeps what the answers tell, to be sent back later. */
export async function checkEffect(
  request: FuzzRequest,
  reply: Reply,
  before: Json,
  witnesses: Witnesses,
): Promise<string[]> {
  const answer = parse(reply.text) as Json;
  const effect = EFFECTS[kindOf(request.operation)];
  if (!effect || reply.status >= 300 || request.caller === 'stranger') return [];
  // Accepted although nobody knows what it says: the judge has told of it.
  if (request.operation.body && request.value === undefined) return [];
  // Accepted although it had to be refused: the judge has told of that too.
  if (kindOf(request.operation) in LOOKS && before === undefined) return [];
  return effect({ request, sent: request.value as Json, reply, answer, before, ...witnesses });
}

const createCard: Effect = async (accepted) => {
  const { sent, answer, pool, ask } = accepted;
  const kyc = sent.kyc;
  const wanted = {
    cardName: sent.preferredCardName,
    externalCustomerId: sent.meta.id,
    cardholderName: sent.customerType === 'Consumer' ? `${kyc.firstName} ${kyc.lastName}` : kyc.fullName,
    cardType: sent.cardType,
  };
  const card = await readCard(accepted, answer.id);
  const isNew = !pool.cards.some(({ id }) => id === answer.id);
  if (!isNew) return differences(card, wanted);
  const { body: credentials } = await ask('GET', `${CARDS}${answer.id}/credentials/`);
  remember(pool.cards, {
    id: answer.id,
    number: credentials.cardNumber,
    cvv: credentials.cvv,
    expiry: credentials.expiryDate?.slice(0, 7),
    creditMinor: minor(card.availableCredit),
  });
  return [
    ...differences(answer, wanted),
    ...differences(card, {
      ...wanted,
      spendLimit: sent.spendLimit ?? 0,
      status: 'ACTIVE',
      expiryDate: sent.expiryDate ?? undefined,
      cardDesign: sent.cardDesign,
    }),
    ...differences(card.meta, {
      id: sent.meta.id,
      otpPhoneNumber: sent.meta.otpPhoneNumber,
      email: sent.meta.email ?? undefined,
    }),
    ...differences({ credit: minor(card.availableCredit) }, { credit: minor(sent.spendLimit ?? 0) }),
  ];
};

const purchase: Effect = async (accepted) => {
  const { sent, answer, pool, ask } = accepted;
  remember(pool.externals, answer.external_transaction_id);
  const id: string | null = answer.transaction_id;
  if (id === null) return [];
  const isNew = !pool.transactions.includes(id);
  remember(pool.transactions, id);
  pool.purchases.set(answer.external_transaction_id, id);
  const isAdvice = sent.stand_in !== undefined;
  if (isNew && !isAdvice && answer.approved && pool.reversedFirst.has(answer.external_transaction_id))
    return ['it is approved although its reversal came first'];
  if (isNew && answer.status === 'PENDING')
    remember(pool.held, { id, externalId: answer.external_transaction_id });
  const cardId = sent.card_id ?? pool.cards.find(({ number }) => number === sent.card_number)?.id;
  const card = pool.cards.find((known) => known.id === cardId);
  if (!card || !isNew) return [];
  const before = card.creditMinor;
  const { body: list } = await ask('GET', `${CARDS}${card.id}/transactions/?page_size=5`);
  const found = list.results.find((one: Json) => one.id === id);
  // An old purchase that was asked for again may lie further down.
  if (!found) return [];
  await readCard(accepted, card.id);
  // A copy of a message, or one that its reversal had overtaken, moves nothing now.
  const isHeld = answer.approved && answer.status === 'PENDING';
  const wrong = [
    ...differences(found, {
      external_transaction_id: sent.external_transaction_id,
      currency: sent.currency,
      status: answer.status,
    }),
    // Where only a part is approved, that part; a balance inquiry has none.
    ...(answer.network_code === '10'
      ? differences({ isLess: Number(found.amount) < Number(sent.amount) }, { isLess: true })
      : differences({ amount: Number(found.amount) }, { amount: Number(sent.amount ?? 0) })),
  ];
  const first = list.results[0]?.id === id;
  const held = isHeld && first ? minor(answer.bill_amount) : 0;
  if (before !== undefined && first && card.creditMinor !== before - held && Math.abs(before) < 1e12)
    wrong.push(`the card had ${before}, ${held} were held, and it has ${card.creditMinor}`);
  return wrong;
};

const LOOKS: Record<string, Look> = {
  increment: lookAtPurchase,
  simulateIncrement: lookAtPurchase,
  reverse: lookAtReversed,
  clear: lookAtPurchase,
  refund: lookAtPurchase,
  simulateReversal: lookAtReversed,
  simulateClearing: lookAtPurchase,
  simulateRefund: lookAtPurchase,
  rotateKey: lookAtKey,
  enableWebhookEndpoint: lookAtEndpoint,
  testWebhookEndpoint: lookAtEndpoint,
  rotateWebhookSecret: lookAtEndpoint,
  resendWebhookEvent: lookAtEvent,
  resendMissedWebhookEvents: lookAtMissed,
};

const EFFECTS: Record<string, Effect> = {
  createCard,
  authorize: purchase,
  simulateAuthorization: purchase,
  increment,
  simulateIncrement: increment,
  reverse: reversal,
  clear: clearing,
  refund,
  simulateReversal: reversal,
  simulateClearing: clearing,
  simulateRefund: refund,
  retrieveCard: (accepted) => {
    const card = cardOf(accepted);
    if (card) card.creditMinor = minor(accepted.answer.availableCredit);
    return [];
  },
  revealCredentials: (accepted) => {
    const card = cardOf(accepted);
    if (card) Object.assign(card, credentialsOf(accepted.answer));
    return [];
  },
  revealForReason: async (accepted) => {
    const { request, sent, answer, pool, ask } = accepted;
    const id = request.parameters['cardId'] as string;
    const { body: history } = await askConsole(ask, pool, `cards/${id}/history/`);
    const { body: credentials } = await ask('GET', `${CARDS}${id}/credentials/`);
    const card = cardOf(accepted);
    if (card) Object.assign(card, credentialsOf(answer));
    const { action, actor, reason } = history.results[0] ?? {};
    return [
      ...differences(answer, credentials),
      ...differences(
        { action, kind: actor?.kind, reason },
        {
          action: 'card.credentials_revealed',
          kind: 'operator',
          reason: MASKED.test(sent.reason) ? undefined : sent.reason,
        },
      ),
    ];
  },
  freezeCard: async (accepted) => {
    const { sent, answer, request } = accepted;
    const card = await readCard(accepted, request.parameters['cardId'] as string);
    return [
      ...differences(answer, { freeze: sent.freeze }),
      ...differences(card, { status: sent.freeze ? 'FROZEN' : 'ACTIVE' }),
    ];
  },
  blockCard: async (accepted) => {
    const { sent, request } = accepted;
    const card = await readCard(accepted, request.parameters['cardId'] as string);
    const known = cardOf(accepted);
    const wasBlocked = known === undefined || known.isUncertain === true;
    accepted.pool.cards = accepted.pool.cards.filter(({ id }) => id !== card.id);
    // Some stay, so that a blocked card is met too.
    if (accepted.pool.made % 4 === 0)
      remember(accepted.pool.cards, {
        id: card.id,
        number: undefined,
        cvv: undefined,
        expiry: undefined,
        creditMinor: undefined,
      });
    // Wrong expiry dates and CVVs block a card by themselves.
    const isGuessed = /fraud suspected: (cvv attempts|guessing)/.test(card.statusReason);
    const isFirst = !wasBlocked && !isGuessed && !MASKED.test(sent.reason) && !knownBlocked.has(card.id);
    knownBlocked.add(card.id);
    return differences(card, { status: 'BLOCKED', statusReason: isFirst ? sent.reason : undefined });
  },
  reissueCard: async (accepted) => {
    const card = cardOf(accepted);
    if (!card) return [];
    const { body } = await accepted.ask('GET', `${CARDS}${card.id}/credentials/`);
    const wasNumber = card.number;
    Object.assign(card, credentialsOf(body));
    const isNewNumber = accepted.sent.renewOption?.startsWith('NEW_CARD_NUMBER');
    return isNewNumber && wasNumber === body.cardNumber && !isReplay(accepted)
      ? ['a new number is the old one']
      : [];
  },
  changeSpendControls: async (accepted) => {
    const { sent, request } = accepted;
    const { spendControls } = await readCard(accepted, request.parameters['cardId'] as string);
    const { transactionLimit, dailyLimit, monthlyLimit, allTimeLimit, allowedMccs, blockedMccs } = sent;
    const wrong = differences(spendControls, { transactionLimit, dailyLimit, monthlyLimit, allTimeLimit });
    const asSets = (list: string[] | undefined) => list && [...new Set(list)].sort().join();
    return [
      ...wrong,
      ...differences({ list: asSets(spendControls.allowedMccs) }, { list: asSets(allowedMccs) }),
      ...differences({ list: asSets(spendControls.blockedMccs) }, { list: asSets(blockedMccs) }),
    ];
  },
  adjustBalance: async (accepted) => {
    const { sent, answer, request } = accepted;
    const before = cardOf(accepted)?.creditMinor;
    const card = await readCard(accepted, request.parameters['cardId'] as string);
    const wrong = differences(answer, {
      amount: sent.amount,
      reference: MASKED.test(sent.reference) ? undefined : sent.reference,
      cardId: card.id,
    });
    if (
      before !== undefined &&
      !isReplay(accepted) &&
      Math.abs(before) < 1e12 &&
      minor(card.availableCredit) !== before + minor(sent.amount)
    )
      wrong.push(
        `the card had ${before}, ${minor(sent.amount)} were added, and it has ${minor(card.availableCredit)}`,
      );
    return wrong;
  },
  addWebhookEndpoint,
  listWebhookEndpoints: ({ answer, pool }) => {
    remember(pool.endpoints, ...answer.webhookEndpoints.map(({ id }: Json) => id));
    return [];
  },
  removeWebhookEndpoint,
  enableWebhookEndpoint,
  testWebhookEndpoint,
  rotateWebhookSecret,
  resendWebhookEvent,
  resendMissedWebhookEvents,
  listWebhookEvents: ({ answer, pool }) => {
    remember(pool.events, ...answer.results.slice(0, 10).map(({ eventId }: Json) => eventId));
    return [];
  },
  requestFile: async ({ answer, pool, ask }) => {
    remember(pool.references, answer.reference_id);
    return untilMade(ask, answer.reference_id);
  },
  getFileRequest: ({ answer, pool }) => {
    if (answer.link) remember(pool.links, answer.link);
    return [];
  },
  setAccountAlert: async ({ sent, answer, ask }) => {
    const { body } = await ask('GET', '/api/v1/merchant/account/');
    return [...differences(answer, { alertBelow: sent.alertBelow }), ...differences(body, answer)];
  },
  moveClock: async ({ answer, pool, ask }) => {
    for (const card of pool.cards) card.creditMinor = undefined;
    const { body } = await ask('GET', '/api/v1/sandbox/clock/');
    pool.clock = body.now;
    return Date.parse(body.now) < Date.parse(answer.now) ? ['the clock went back'] : [];
  },
  registerKycApplicant,
  createKey,
  rotateKey,
  revokeKey,
  signIn,
  signOut,
  changePassword,
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
};

/** Waits for the worker, so that what follows does not depend on how fast it is. */
async function untilMade(ask: Ask, referenceId: string): Promise<string[]> {
  const until = performance.now() + MADE_WITHIN_MS;
  for (;;) {
    const { status, body } = await ask('GET', `/api/v1/merchant/files/requests/${referenceId}/`);
    if (status !== 200) return [`a report that was asked for is answered ${status}`];
    if (body.status === 'ready') return [];
    if (performance.now() > until) return [`a report is not made within ${MADE_WITHIN_MS} ms`];
    await pause(20);
  }
}

const credentialsOf = ({ cardNumber, cvv, expiryDate }: Json) => ({
  number: cardNumber,
  cvv,
  expiry: expiryDate.slice(0, 7),
});

/** Cards that are known to be blocked already: the first reason stays. */
const knownBlocked = new Set<string>();

const isReplay = ({ request }: Accepted): boolean =>
  request.headers.some(([name]) => name === 'idempotency-key');
