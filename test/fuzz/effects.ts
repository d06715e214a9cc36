import { setTimeout as pause } from 'node:timers/promises';
import type { FuzzRequest } from './fuzz-request.ts';
import { parse } from './judge.ts';
import { kindOf } from './operations.ts';
import { GUEST, type KnownCard, type Pool, remember } from './pool.ts';
import type { Reply } from './wire.ts';

const MADE_WITHIN_MS = 30_000;
const MASKED = /(?:\p{N}\P{N}*){12}/u;

// biome-ignore lint/suspicious/noExplicitAny: bodies are read freely
type Json = any;

/** Calls the API as the lane's merchant, or with a cookie as its operator. */
export type Call = (method: string, path: string, cookie?: string) => Promise<{ status: number; body: Json }>;

interface Accepted {
  request: FuzzRequest;
  sent: Json;
  reply: Reply;
  answer: Json;
  pool: Pool;
  call: Call;
}
type Effect = (accepted: Accepted) => Promise<string[]> | string[];

const CARDS = '/api/v1/merchant/cards/';
const minor = (amount: number | string): number => Math.round(Number(amount) * 100);

/** Reads the console API as the lane's operator. */
const callConsole = (call: Call, { tenant, session }: Pool, path: string) =>
  call('GET', `/console/api/programs/${tenant.programId}/${path}`, session.cookie);

/** `field: wanted …, found …` for everything that is not as it should be. */
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

const readCard = async ({ call }: Accepted, id: string): Promise<Json> =>
  (await call('GET', `${CARDS}${id}/`)).body;

/**
 * What was accepted for a card is there, as it was sent. Keeps ids and values of the answers, to be sent back later. What messages,
 * webhooks, keys and sessions bring about is for the tests in e2e/, and for those that replay the model.
 */
export async function checkEffect(
  request: FuzzRequest,
  reply: Reply,
  pool: Pool,
  call: Call,
): Promise<string[]> {
  const effect = EFFECTS[kindOf(request.operation)];
  if (!effect || reply.status >= 300 || request.caller === 'another program') return [];
  // Accepted although it cannot be read: the judge has reported it.
  if (request.operation.body && request.value === undefined) return [];
  return effect({
    request,
    sent: request.value as Json,
    reply,
    answer: parse(reply.text) as Json,
    pool,
    call,
  });
}

/** What was sent is there, and what was removed is not. */
const merged = ({ sent, answer }: Accepted, found: Json): string[] => [
  ...differences(found, answer.metadata),
  ...Object.entries(sent.metadata)
    .filter(([key, value]) => (Object.hasOwn(found, key) ? found[key] : null) !== value)
    .map(([key]) => `metadata: ${key} is not as it was sent`),
];

const createCard: Effect = async (accepted) => {
  const { sent, answer, pool, call } = accepted;
  const kyc = sent.kyc;
  const wanted = {
    cardName: sent.preferredCardName,
    externalCustomerId: sent.meta.id,
    cardholderName: sent.customerType === 'Consumer' ? `${kyc.firstName} ${kyc.lastName}` : kyc.fullName,
    cardType: sent.cardType,
  };
  const card = await readCard(accepted, answer.id);
  remember(pool.customers, sent.meta.id);
  const isNew = !pool.cards.some(({ id }) => id === answer.id);
  if (!isNew) return differences(card, wanted);
  const { body: credentials } = await call('GET', `${CARDS}${answer.id}/credentials/`);
  remember(pool.cards, {
    id: answer.id,
    number: credentials.cardNumber,
    cvv: credentials.cvv,
    expiry: credentials.expiryDate?.slice(0, 7),
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

/** Waits for the worker, so that what follows does not depend on how fast it is. */
const createBatch: Effect = async ({ sent, answer, pool, call }) => {
  remember(pool.batches, answer.id);
  const until = performance.now() + MADE_WITHIN_MS;
  for (;;) {
    const { body } = await call('GET', `/api/v1/merchant/card-batches/${answer.id}/`);
    const ended = { total: body.total, ended: body.created + body.failed };
    if (body.status === 'COMPLETED')
      return differences(ended, { total: sent.cards.length, ended: sent.cards.length });
    if (performance.now() > until) return [`a batch is not completed within ${MADE_WITHIN_MS} ms`];
    await pause(20);
  }
};

const purchase: Effect = ({ answer, pool }) => {
  remember(pool.externals, answer.external_transaction_id);
  const { transaction_id: id, external_transaction_id: externalId } = answer;
  if (id === null || pool.transactions.includes(id)) return [];
  remember(pool.transactions, id);
  if (answer.status === 'PENDING') remember(pool.held, { id, externalId });
  return [];
};

/** Later messages name it, and copies of it are sent. */
const follow =
  (kind: 'clearing' | 'reversal' | 'refund'): Effect =>
  ({ answer, pool }) => {
    const id: string = answer[`${kind}_id`];
    const transactionId: string = answer.transaction_id;
    if (kind !== 'reversal' && !pool.messages.includes(id))
      remember(pool.presented, { kind, id, transactionId });
    remember(pool.messages, id);
    if (answer.transaction_id) remember(pool.transactions, answer.transaction_id);
    else remember(pool.externals, answer.external_transaction_id);
    if (answer.status !== 'PENDING') pool.held = pool.held.filter(({ id }) => id !== answer.transaction_id);
    return [];
  };

/** Declined, it leaves the hold as it was. */
const increment: Effect = ({ answer, pool }) => {
  remember(pool.messages, answer.increment_id);
  return [];
};

/** The id of a challenge out of band is in its event. */
const authenticate: Effect = async ({ answer, pool, call }) => {
  remember(pool.authentications, answer.authentication_id);
  if (answer.method !== 'OUT_OF_BAND') return [];
  const { body } = await call('GET', '/api/v1/merchant/webhook-events/');
  for (const { eventName, data } of body.results as Json[])
    if (eventName === 'authentication.challenge' && data.authentication_id === answer.authentication_id)
      remember(pool.challenges, data.id);
  return [];
};

const simulateAuthentication: Effect = ({ sent, answer, pool }) => {
  remember(pool.authentications, answer.authentication_id);
  remember(
    answer.method === 'OUT_OF_BAND' && answer.status === 'CHALLENGE' ? pool.challenges : pool.simulated,
    answer.id,
  );
  return differences(answer, { card_id: sent.card_id });
};

const forward: Effect = async (accepted) => {
  const { sent, call } = accepted;
  const card = cardOf(accepted);
  if (card) card.isForwarded = sent.enabled;
  const path = `${CARDS}${accepted.request.parameters['cardId']}/3ds-forwarding/`;
  return differences((await call('GET', path)).body, { enabled: sent.enabled });
};

const answered: Effect = ({ sent, answer, pool, request }) => {
  pool.challenges = pool.challenges.filter((id) => id !== request.parameters['authenticationId']);
  if (sent.approve) return [];
  // A reissue has ended it already: it was for the former number.
  const reason = answer.reason === 'unknown_card' ? answer.reason : 'not_approved';
  return differences(answer, { status: 'REJECTED', reason });
};

const keepKey: Effect = ({ answer, pool }) => {
  remember(pool.keys, answer.id);
  return [];
};

const ruleIs =
  (status: string): Effect =>
  async (accepted) => {
    const { answer, pool, call } = accepted;
    remember(pool.rules, answer.id);
    // It may have been changed since its first answer.
    if (isReplay(accepted)) return [];
    const { body } = await call('GET', `/api/v1/merchant/rules/${answer.id}/`);
    return differences(body, { status, name: answer.name, when: answer.when, appliesTo: answer.appliesTo });
  };

const changeList: Effect = async ({ answer, pool, call }) => {
  remember(pool.lists, answer.name);
  const { body } = await call('GET', `/api/v1/merchant/rule-lists/${answer.name}/`);
  return differences({ size: body.values?.length }, { size: answer.size });
};

const backtest: Effect = async ({ answer, pool, call }) => {
  remember(pool.backtests, { id: answer.id, ruleId: answer.ruleId });
  const { body } = await call('GET', `/api/v1/merchant/rule-backtests/${answer.id}/`);
  const { mode, from, to, ruleId } = answer;
  return differences(body, { mode, from, to, ruleId });
};

export const EFFECTS: Record<string, Effect> = {
  backtestRule: backtest,
  backtestUnsavedRule: backtest,
  createCard,
  createCardBatch: createBatch,
  createRule: ruleIs('SHADOW'),
  promoteRule: ruleIs('ACTIVE'),
  demoteRule: ruleIs('SHADOW'),
  archiveRule: ruleIs('ARCHIVED'),
  putRuleList: changeList,
  addToRuleList: changeList,
  removeFromRuleList: changeList,
  authorize: purchase,
  simulateAuthorization: purchase,
  increment,
  simulateIncrement: increment,
  reverse: follow('reversal'),
  clear: follow('clearing'),
  refund: follow('refund'),
  simulateReversal: follow('reversal'),
  simulateClearing: follow('clearing'),
  simulateRefund: follow('refund'),
  setAccountAlert: async ({ sent, answer, call }) => {
    const { body } = await call('GET', '/api/v1/merchant/account/');
    return [...differences(answer, { alertBelow: sent.alertBelow }), ...differences(body, answer)];
  },
  revealCredentials: (accepted) => {
    const card = cardOf(accepted);
    if (card) Object.assign(card, credentialsOf(accepted.answer));
    return [];
  },
  createRevealSession: async (accepted) => {
    const { request, answer, pool, call } = accepted;
    const { body: history } = await callConsole(call, pool, `cards/${request.parameters['cardId']}/history/`);
    const { pathname } = new URL(answer.url);
    return differences(
      { pathname, action: history.results[0]?.action },
      { pathname: `/reveal/${answer.id}/`, action: 'card.reveal_session_created' },
    );
  },
  revealForReason: async (accepted) => {
    const { request, sent, answer, pool, call } = accepted;
    const id = request.parameters['cardId'] as string;
    const { body: history } = await callConsole(call, pool, `cards/${id}/history/`);
    const { body: credentials } = await call('GET', `${CARDS}${id}/credentials/`);
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
      ...differences(card, {
        status: sent.freeze ? 'FROZEN' : 'ACTIVE',
        // A card that was frozen before keeps its first reason.
        ...(!sent.freeze && { statusReason: null }),
      }),
    ];
  },
  freezeCustomer: async ({ sent, answer }) =>
    // Unfreezing leaves what was frozen by itself.
    sent.freeze && answer.cards.some(({ status }: Json) => status === 'ACTIVE')
      ? ['a card of a frozen customer is ACTIVE']
      : [],
  blockCard: async (accepted) => {
    const { sent, request } = accepted;
    const card = await readCard(accepted, request.parameters['cardId'] as string);
    const known = cardOf(accepted);
    const wasBlocked = known === undefined || known.isUncertain === true;
    accepted.pool.cards = accepted.pool.cards.filter(({ id }) => id !== card.id);
    remember(accepted.pool.blocked, card.id);
    // Some stay, so that a blocked card is met too.
    if (accepted.pool.made % 4 === 0)
      remember(accepted.pool.cards, {
        id: card.id,
        number: undefined,
        cvv: undefined,
        expiry: undefined,
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
    const { body } = await accepted.call('GET', `${CARDS}${card.id}/credentials/`);
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
  changeContact: async (accepted) => {
    const { sent, answer, request } = accepted;
    const { meta } = await readCard(accepted, request.parameters['cardId'] as string);
    const phone = sent.otpPhoneNumber && {
      dialCode: sent.otpPhoneNumber.dialCode,
      phoneNumber: sent.otpPhoneNumber.phoneNumber,
    };
    return [
      ...differences(meta, { email: sent.email }),
      ...(phone ? differences(meta.otpPhoneNumber, phone) : []),
      ...differences(answer.meta, { email: meta.email }),
    ];
  },
  setCardUsage: async (accepted) => {
    const { usage } = await readCard(accepted, accepted.request.parameters['cardId'] as string);
    return [
      ...differences(accepted.answer, { usage }),
      ...(usage ? differences(usage, { purchases: accepted.sent.usage?.purchases ?? null }) : []),
    ];
  },
  setCardMetadata: async (accepted) => {
    const { metadata } = await readCard(accepted, accepted.request.parameters['cardId'] as string);
    return merged(accepted, metadata);
  },
  setTransactionMetadata: async (accepted) => {
    const id = accepted.request.parameters['transactionId'];
    const { body } = await accepted.call('GET', `/api/v1/merchant/transactions/${id}/`);
    return merged(accepted, body.metadata);
  },
  adjustBalance: ({ sent, answer, request }) =>
    differences(answer, {
      amount: sent.amount,
      reference: MASKED.test(sent.reference) ? undefined : sent.reference,
      cardId: request.parameters['cardId'],
    }),
  authenticate,
  simulateAuthentication,
  changeForwarding: forward,
  answerAuthentication: answered,
  addWebhookEndpoint: ({ answer, pool }) => {
    remember(pool.endpoints, answer.id);
    return [];
  },
  listWebhookEndpoints: ({ answer, pool }) => {
    remember(pool.endpoints, ...answer.webhookEndpoints.map(({ id }: Json) => id));
    return [];
  },
  removeWebhookEndpoint: ({ request, pool }) => {
    pool.endpoints = pool.endpoints.filter((id) => id !== request.parameters['endpointId']);
    return [];
  },
  listWebhookEvents: ({ answer, pool }) => {
    remember(pool.events, ...answer.results.slice(0, 10).map(({ eventId }: Json) => eventId));
    return [];
  },
  requestFile: async ({ answer, pool, call }) => {
    remember(pool.references, answer.reference_id);
    return untilMade(call, answer.reference_id);
  },
  getFileRequest: ({ answer, pool }) => {
    if (answer.link) remember(pool.links, answer.link);
    return [];
  },
  moveClock: async ({ answer, pool, call }) => {
    const { body } = await call('GET', '/api/v1/sandbox/clock/');
    pool.clock = body.now;
    return Date.parse(body.now) < Date.parse(answer.now) ? ['the clock went back'] : [];
  },
  registerKycApplicant: ({ sent, pool }) => {
    remember(pool.applicants, sent.kycApplicantId);
    return [];
  },
  createKey: keepKey,
  listPeople: ({ answer, pool }) => keepPeople(answer, pool),
  addPerson: ({ answer, pool }) => {
    remember(pool.people, answer.id);
    return [];
  },
  invitePerson: ({ answer: { id, link }, pool }) => {
    pool.invitations.push({ id, token: link.split('#')[1] });
    return [];
  },
  acceptInvitation: ({ sent, pool }) => {
    pool.invitations = pool.invitations.filter(({ token }) => token !== sent.token);
    return [];
  },
  revokeInvitation: ({ request, pool }) => {
    pool.invitations = pool.invitations.filter(({ id }) => id !== request.parameters['invitationId']);
    return [];
  },
  listPersonSessions: ({ request, answer, pool }) => {
    const [session] = answer.sessions;
    if (session) pool.sessions[request.parameters['operatorId'] as string] = session.id;
    return [];
  },
  listSessions: ({ answer, pool }) => {
    pool.sessions[GUEST] = answer.sessions[0].id;
    return [];
  },
  consoleAddNote: ({ request, answer, pool }) => {
    pool.notes[request.parameters['customerId'] as string] = answer.id;
    return [];
  },
  consoleRemoveNote: ({ request, pool }) => {
    delete pool.notes[request.parameters['customerId'] as string];
    return [];
  },
  consoleSaveView: ({ answer, pool }) => {
    remember(pool.views, ...answer.views.map(({ id }: Json) => id));
    return [];
  },
  consoleDeleteView: ({ request, pool }) => {
    pool.views = pool.views.filter((id) => id !== request.parameters['viewId']);
    return [];
  },
  consoleReplaceCard: async (accepted) => {
    const { blockedCardId } = accepted.request.parameters;
    const card = await readCard(accepted, accepted.answer.id);
    return differences(card, { replaces: blockedCardId });
  },
  endSession: ({ pool }) => {
    pool.guest.cookie = '';
    return [];
  },
  rotateKey: keepKey,
  signIn: ({ sent, pool: { guest } }) => {
    // A recovery code opens once.
    guest.recoveryCodes = guest.recoveryCodes.filter((code) => code !== sent.code);
    return [];
  },
  signOut: ({ pool }) => {
    pool.guest.cookie = '';
    return [];
  },
  changePassword: ({ sent, pool }) => {
    pool.guest.password = sent.newPassword;
    return [];
  },
  beginSecondFactor: ({ answer, pool }) => {
    pool.guest.begun = { enrolment: answer.enrolment, secret: answer.secret };
    return [];
  },
  confirmSecondFactor: async ({ answer, pool, call }) => {
    const { guest } = pool;
    guest.secret = guest.begun?.secret as string;
    delete guest.begun;
    guest.recoveryCodes = answer.recoveryCodes;
    return keepPeople((await callConsole(call, pool, 'people/')).body, pool);
  },
  renewRecoveryCodes: ({ answer, pool }) => {
    pool.guest.recoveryCodes = answer.recoveryCodes;
    return [];
  },
  removeSecondFactor: ({ pool }) => {
    delete pool.guest.secret;
    pool.guest.recoveryCodes = [];
    return [];
  },
};

/** Without the lane's own administrator, whose session has to last. */
function keepPeople({ people }: Json, pool: Pool): string[] {
  const others = people.filter(({ email }: Json) => !email.includes('-admin@'));
  remember(pool.people, ...others.map(({ id }: Json) => id));
  pool.secured = others.filter(({ hasSecondFactor }: Json) => hasSecondFactor).map(({ id }: Json) => id);
  return [];
}

/** Waits for the worker, so that what follows does not depend on how fast it is. */
async function untilMade(call: Call, referenceId: string): Promise<string[]> {
  const until = performance.now() + MADE_WITHIN_MS;
  for (;;) {
    const { status, body } = await call('GET', `/api/v1/merchant/files/requests/${referenceId}/`);
    if (status !== 200) return [`a requested report is answered ${status}`];
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
