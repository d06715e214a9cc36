import { setTimeout as pause } from 'node:timers/promises';
import type { FuzzRequest } from './fuzz-request.ts';
import { parse } from './judge.ts';
import { kindOf } from './operations.ts';
import { type KnownCard, type Pool, remember } from './pool.ts';
import type { Reply } from './wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are read freely
type Json = any;

/** Asks the API as the lane's merchant would. */
export type Ask = (method: string, path: string, key?: string) => Promise<{ status: number; body: Json }>;

const MADE_WITHIN_MS = 30_000;
const CARDS = '/api/v1/merchant/cards/';
const minor = (amount: number | string): number => Math.round(Number(amount) * 100);
const MASKED = /\d(?:[ -]?\d){11,}/;

/** What was accepted is there, as it was sent. Also keeps what the answers tell, to be sent back later. */
export async function checkEffect(
  request: FuzzRequest,
  reply: Reply,
  pool: Pool,
  ask: Ask,
): Promise<string[]> {
  const body = parse(reply.text) as Json;
  const effect = EFFECTS[kindOf(request.operation)];
  if (!effect || reply.status >= 300 || request.caller === 'stranger') return [];
  // Accepted although nobody knows what it says: the judge has told of it.
  if (request.operation.body && request.value === undefined) return [];
  return effect({ request, sent: request.value as Json, answer: body, pool, ask });
}

interface Accepted {
  request: FuzzRequest;
  sent: Json;
  answer: Json;
  pool: Pool;
  ask: Ask;
}
type Effect = (accepted: Accepted) => Promise<string[]> | string[];

/** `field: sent …, found …` for everything that is not as it should be. */
function differences(found: Json, wanted: Record<string, unknown>): string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => value !== undefined && JSON.stringify(found?.[name]) !== JSON.stringify(value))
    .map(
      ([name, value]) =>
        `${name}: wanted ${JSON.stringify(value)?.slice(0, 200)}, found ${JSON.stringify(found?.[name])?.slice(0, 200)}`,
    );
}

const cardOf = ({ request, pool }: Accepted): KnownCard | undefined =>
  pool.cards.find(({ id }) => id === request.parameters['cardId']);

async function readCard(accepted: Accepted, id: string): Promise<Json> {
  const { body } = await accepted.ask('GET', `${CARDS}${id}/`);
  const known = accepted.pool.cards.find((card) => card.id === id);
  if (known) known.creditMinor = minor(body.availableCredit);
  return body;
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
    ...differences({ amount: Number(found.amount) }, { amount: Number(sent.amount) }),
  ];
  const first = list.results[0]?.id === id;
  const held = isHeld && first ? minor(answer.bill_amount) : 0;
  if (before !== undefined && first && card.creditMinor !== before - held && Math.abs(before) < 1e12)
    wrong.push(`the card had ${before}, ${held} were held, and it has ${card.creditMinor}`);
  return wrong;
};

/** Moves money in ways that need the whole history to be foreseen: the model of the engine's own tests does that. */
const moved: Effect = ({ pool, answer }) => {
  for (const card of pool.cards) card.creditMinor = undefined;
  remember(pool.messages, ...[answer.reversal_id, answer.clearing_id, answer.refund_id].filter(Boolean));
  if (answer.transaction_id) remember(pool.transactions, answer.transaction_id);
  return [];
};

const EFFECTS: Record<string, Effect> = {
  createCard,
  authorize: purchase,
  simulateAuthorization: purchase,
  reverse: moved,
  clear: moved,
  refund: moved,
  simulateReversal: moved,
  simulateClearing: moved,
  simulateRefund: moved,
  retrieveCard: (accepted) => {
    const card = cardOf(accepted);
    if (card) card.creditMinor = minor(accepted.answer.availableCredit);
    return [];
  },
  revealCredentials: (accepted) => {
    const card = cardOf(accepted);
    if (card)
      Object.assign(card, {
        number: accepted.answer.cardNumber,
        cvv: accepted.answer.cvv,
        expiry: accepted.answer.expiryDate.slice(0, 7),
      });
    return [];
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
    // Wrong CVVs block a card by themselves.
    const isGuessed = /cvv attempts/.test(card.statusReason);
    const isFirst = !wasBlocked && !isGuessed && !MASKED.test(sent.reason) && !knownBlocked.has(card.id);
    knownBlocked.add(card.id);
    return differences(card, { status: 'BLOCKED', statusReason: isFirst ? sent.reason : undefined });
  },
  reissueCard: async (accepted) => {
    const card = cardOf(accepted);
    if (!card) return [];
    const { body } = await accepted.ask('GET', `${CARDS}${card.id}/credentials/`);
    const wasNumber = card.number;
    Object.assign(card, { number: body.cardNumber, cvv: body.cvv, expiry: body.expiryDate.slice(0, 7) });
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
  addWebhookEndpoint: async ({ sent, answer, pool, ask }) => {
    remember(pool.endpoints, answer.id);
    const { body } = await ask('GET', `/api/v1/merchant/webhook-endpoints/${answer.id}/`);
    return differences(
      { ...body, eventTypes: body.eventTypes?.toSorted() ?? null },
      {
        url: new URL(sent.url).href,
        eventTypes: sent.eventTypes ? [...new Set(sent.eventTypes)].sort() : null,
      },
    );
  },
  listWebhookEndpoints: ({ answer, pool }) => {
    remember(pool.endpoints, ...answer.webhookEndpoints.map(({ id }: Json) => id));
    return [];
  },
  removeWebhookEndpoint: async ({ request, pool, ask }) => {
    const id = request.parameters['endpointId'] as string;
    pool.endpoints = pool.endpoints.filter((other) => other !== id);
    const { status } = await ask('GET', `/api/v1/merchant/webhook-endpoints/${id}/`);
    return status === 404 ? [] : [`a removed endpoint is answered ${status}`];
  },
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
  moveClock: async ({ answer, pool, ask }) => {
    for (const card of pool.cards) card.creditMinor = undefined;
    const { body } = await ask('GET', '/api/v1/sandbox/clock/');
    pool.clock = body.now;
    return Date.parse(body.now) < Date.parse(answer.now) ? ['the clock went back'] : [];
  },
  registerKycApplicant: ({ sent, pool }) => {
    remember(pool.applicants, sent.kycApplicantId);
    return [];
  },
  createKey: async ({ answer, pool, ask, sent }) => {
    remember(pool.keys, { id: answer.id, key: answer.key, kind: answer.kind });
    const { status } = await ask('GET', '/api/v1/sandbox/clock/', answer.key);
    const wanted = answer.kind === 'network' ? 401 : answer.scopes.includes('read') ? 200 : 403;
    return [
      ...differences(answer, { name: sent.name, kind: sent.kind }),
      ...(status === wanted ? [] : [`a new key is answered ${status}`]),
    ];
  },
  rotateKey: ({ answer, pool }) => {
    remember(pool.keys, { id: answer.id, key: answer.key, kind: answer.kind });
    return [];
  },
  revokeKey: async ({ request, pool, ask }) => {
    const known = pool.keys.find(({ id }) => id === request.parameters['keyId']);
    const { status } = known ? await ask('GET', '/api/v1/sandbox/clock/', known.key) : { status: 401 };
    return status === 401 ? [] : [`a revoked key is answered ${status}`];
  },
  signOut: ({ pool }) => {
    pool.guest.cookie = '';
    return [];
  },
  changePassword: ({ pool, sent }) => {
    pool.guest.password = sent.newPassword;
    return [];
  },
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

/** Cards that are known to be blocked already: the first reason stays. */
const knownBlocked = new Set<string>();

const isReplay = ({ request }: Accepted): boolean =>
  request.headers.some(([name]) => name === 'idempotency-key');
