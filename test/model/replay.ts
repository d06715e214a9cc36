import { isDeepStrictEqual } from 'node:util';
import { availableOf, dayOf, decimal, type Mode, type ModelCard } from './card.ts';
import type { Answer, Call, Message } from './messages.ts';
import { blockDue, expire, matches, type Prediction, predict, purchaseIdOf } from './predict.ts';

/** One try of a request, on the one clock of all clients. */
export interface Attempt {
  invokedAt: number;
  returnedAt: number;
  /** Null: no response. */
  status: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own response
  body: any;
}
/** A request under one id, however often it was sent. */
export interface Sent<What = Message | Call> {
  what: What;
  attempts: Attempt[];
  /** The response that the database keeps, where no client may have seen it. */
  stored?: Attempt['body'];
}
export interface JournalEvent {
  name: string;
  data: Record<string, unknown>;
  atMs: number;
}
/** All that was done with a card. */
export interface Life {
  cardId: string;
  card: ModelCard;
  /** The newest is the last; one for each reissue. */
  wallet: ReadonlyArray<{ number: string; cvv: string }>;
  sent: Sent[];
}

/** A response that left no event: it must fit a state between the positions `from` and `to` of the journal. */
interface Check {
  what: string;
  from: number;
  to: number;
  fits(): boolean;
}
interface Replay extends Life {
  messages: Map<string, Array<Sent<Message>>>;
  calls: Array<Sent<Call>>;
  lastDay: string;
  nowMs: number;
  reissues: number;
  /** The refunds whose links to their purchases the next events must be. */
  links: string[];
  findings: string[];
}
type Span = Pick<Attempt, 'invokedAt' | 'returnedAt'>;

/** The kinds of message that an event may come from. */
const KINDS: Record<string, ReadonlyArray<Message['kind']>> = {
  authorization: ['authorization', 'advice'],
  'authorization.declined': ['authorization', 'advice', 'increment'],
  'authorization.increment': ['increment'],
  'authorization.reversal': ['reversal'],
  'authorization.clearing': ['clearing'],
  'authorization.clearing.reversal': ['reversal'],
  refund: ['refund'],
  'refund.reversal': ['reversal'],
};
const keyOf = (kind: unknown, id: unknown): string => `${kind}/${id}`;
const keysOfEvent = ({ name, data }: JournalEvent): string[] =>
  (KINDS[name] ?? []).map((kind) => keyOf(kind, data['message_id']));
const keyOfEvent = (event: JournalEvent): string => keysOfEvent(event).join(' or ');
const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? decimal(value) : value);
const textOf = (value: unknown): string => JSON.stringify(value, plain);

const isMessage = (sent: Sent): sent is Sent<Message> => 'id' in sent.what;
const isOk = ({ status }: Attempt): boolean => status === 200 || status === 201;
const accepted = ({ attempts }: Sent): Attempt | undefined => attempts.find(isOk);
const responseOf = (sent: Sent): Attempt['body'] => accepted(sent)?.body ?? sent.stored;

/** A request takes effect between its first try and its first answer. */
const spanOf = ({ attempts }: Sent): Span => ({
  invokedAt: Math.min(...attempts.map(({ invokedAt }) => invokedAt)),
  returnedAt: Math.min(...attempts.filter(isOk).map(({ returnedAt }) => returnedAt)),
});
const ANY_TIME: Span = { invokedAt: Number.NEGATIVE_INFINITY, returnedAt: Number.POSITIVE_INFINITY };

/**
 * Takes a card's events in the order of the journal and has the model say what each message should have done at that point.
 * Concurrent messages may take effect in any order, but every response must follow from the order that the journal has, and that
 * order must agree with what clients saw: a request that was answered before another was sent comes before it.
 */
export function replay(life: Life, events: readonly JournalEvent[]): string[] {
  const walk = startReplay(life, events);
  const owners = events.map((event) =>
    keysOfEvent(event)
      .flatMap((key) => walk.messages.get(key) ?? [])
      .find(responseOf),
  );
  const spans = owners.map((owner) => (owner ? spanOf(owner) : ANY_TIME));
  const effects = new Set(owners);
  let checks = life.sent.flatMap((sent) => checksOf(walk, sent, effects.has(sent as Sent<Message>), spans));
  let latest = Number.NEGATIVE_INFINITY;
  for (let position = 0; position <= events.length; position++) {
    checks = settle(checks, position);
    for (const { what } of checks.filter(({ to }) => to === position))
      blame(walk, `${what} fits no state of its time`);
    const event = events[position];
    if (!event) break;
    const span = spans[position] as Span;
    if (span.returnedAt < latest) blame(walk, `${keyOfEvent(event)} took effect after it was answered`);
    latest = Math.max(latest, span.invokedAt);
    take(walk, event, owners[position]);
  }
  const made = events.filter(({ name }) => name in STATUS_OF);
  for (const { name } of made) checkCalled(walk, name, made.filter((event) => event.name === name).length);
  return [...new Set([...walk.findings, ...copyFindings(walk)])];
}

function startReplay(life: Life, events: readonly JournalEvent[]): Replay {
  const messages = new Map<string, Array<Sent<Message>>>();
  for (const sent of life.sent.filter(isMessage)) {
    const key = keyOf(sent.what.kind, sent.what.id);
    messages.set(key, [...(messages.get(key) ?? []), sent]);
  }
  return {
    ...life,
    messages,
    calls: life.sent.filter((sent): sent is Sent<Call> => !isMessage(sent)),
    lastDay: dayOf(events.at(-1)?.atMs ?? 0),
    nowMs: 0,
    reissues: 0,
    links: [],
    findings: [],
  };
}

const blame = ({ findings, cardId }: Replay, text: string): void => {
  findings.push(`card ${cardId}: ${text}`);
};

/** One that fits may change the state so that another one fits. */
function settle(checks: Check[], position: number): Check[] {
  const left = checks.filter(({ from, to, fits }) => position > to || position < from || !fits());
  return left.length === checks.length ? left : settle(left, position);
}

function take(walk: Replay, event: JournalEvent, owner: Sent<Message> | undefined): void {
  const due = blockDue(walk.card);
  if (due && event.name !== 'card.blocked')
    blame(walk, `${event.name}, and the card is not blocked for "${due}"`);
  walk.nowMs = event.atMs;
  const isLink = event.name === 'transaction.updated';
  if (!isLink) for (const id of walk.links.splice(0)) blame(walk, `refund ${id} was not linked`);
  if (isLink) takeLink(walk, event);
  else if (event.name === 'authorization.expired') takeExpiry(walk, event);
  else if (KINDS[event.name]) takeMessage(walk, event, owner);
  else takeCardEvent(walk, event, due);
}

/** A refund that came before its purchase. */
function takeLink(walk: Replay, { data }: JournalEvent): void {
  const id = walk.links.shift();
  if (id !== data['external_transaction_id'])
    blame(walk, `refund ${data['external_transaction_id']} was linked, the model links ${id}`);
}

function takeMessage(walk: Replay, event: JournalEvent, owner: Sent<Message> | undefined): void {
  const { card } = walk;
  if (!owner) {
    blame(walk, `${event.name} ${keyOfEvent(event)}: an effect without an answered request`);
    return;
  }
  const response = responseOf(owner);
  // What the program did at that time is in its event; what the purchase did before is in the model.
  card.terms = { ...card.terms, authorizationMode: modeIn(event) };
  const predictions = readingsOf(card, owner.what, event, response).map((what) =>
    predict(card, what, event.atMs, response),
  );
  const fitting = predictions.find(({ expected }) => matches(expected, response));
  const { expected, hasEvent, links = [], apply } = fitting ?? (predictions[0] as Prediction);
  const model = `the model says ${textOf(expected)} with ${decimal(availableOf(card))} available`;
  if (!hasEvent || !matches(expected, response))
    blame(walk, `${textOf(owner.what)} was answered ${textOf(response)}, ${model}`);
  const recorded = { status: event.data['status'], bill_amount: event.data['bill_amount'] };
  // The late authorization of a cleared purchase may be declined, and the purchase stays cleared; so with increments.
  if (
    !['authorization', 'advice', 'increment'].includes(owner.what.kind) &&
    !matches(expected, { ...response, ...recorded })
  )
    blame(walk, `${keyOfEvent(event)}: the event has ${textOf(recorded)}, ${model}`);
  apply();
  walk.links.push(...links);
  checkMode(walk, event, transactionOf(card, owner.what));
}

const modeIn = ({ data }: JournalEvent): Mode => data['authorization_mode'] as Mode;

function transactionOf(
  { purchases, refunds, credits }: ModelCard,
  what: Message,
): { mode: Mode } | undefined {
  const refundId = what.kind === 'refund' ? what.id : 'refundId' in what ? what.refundId : undefined;
  if (refundId !== undefined)
    return [...refunds.values()].find(({ parts }) => parts.some(({ id }) => id === refundId));
  const id = purchaseIdOf(what) ?? '';
  return purchases.get(id) ?? refunds.get(credits.get(id) ?? id);
}

function checkMode(walk: Replay, event: JournalEvent, transaction: { mode: Mode } | undefined): void {
  if (transaction && transaction.mode !== modeIn(event))
    blame(walk, `${keyOfEvent(event)}: made in ${modeIn(event)}, the model has ${transaction.mode}`);
}

/**
 * The message with the merchant's answer, as its event has it. The journal does not have the rule for failures that the
 * endpoint had at that time, so each rule that can lead to the event's mode is one reading.
 */
function readingsOf(
  card: ModelCard,
  what: Message,
  event: JournalEvent,
  response: Attempt['body'],
): readonly Message[] {
  const decision = event.data['decision'] as {
    source: string;
    outcome: Answer['outcome'];
    reason: string | null;
  };
  const isRequested = decision?.source === 'merchant' || decision?.source === 'stand_in';
  if (!isRequested || (what.kind !== 'authorization' && what.kind !== 'increment')) return [what];
  const { outcome, reason } = decision;
  const answeredMinor = BigInt(String(response.bill_amount).replace('.', ''));
  const requestedMinor =
    'partial' in what && what.partial && response.approved ? answeredMinor : what.billMinor;
  const mode = modeIn(event);
  if ('type' in what && what.type === 'BALANCE_INQUIRY') {
    const shown = response.available_amount && {
      availableMinor: BigInt(String(response.available_amount).replace('.', '')),
    };
    const answer = { mode, requestedMinor, outcome, onFailure: null, standIn: null, ...shown };
    return [{ ...what, answer }];
  }
  const standIn = card.terms.standIn ?? null;
  const common = { mode, requestedMinor, outcome, ...(reason !== null && { reason }), standIn };
  const rules: ReadonlyArray<Answer['onFailure']> = transactionOf(card, what)
    ? ['DECLINE', 'STANDARD', 'APPROVE']
    : mode === 'STANDARD'
      ? ['STANDARD']
      : ['DECLINE', 'APPROVE'];
  return rules.map((onFailure) => ({ ...what, answer: { ...common, onFailure } }));
}

function takeExpiry(walk: Replay, event: JournalEvent): void {
  const { data, atMs } = event;
  const purchaseId = String(data['external_transaction_id']);
  const heldMinor = expire(walk.card, purchaseId, atMs);
  const { purchases, refunds } = walk.card;
  checkMode(walk, event, purchases.get(purchaseId) ?? refunds.get(purchaseId));
  if (heldMinor === undefined || data['bill_amount'] !== decimal(heldMinor))
    blame(walk, `expiry ${textOf(data)}: the model has ${heldMinor} to release`);
}

const STATUS_OF: Record<string, ModelCard['status']> = {
  'card.frozen': 'FROZEN',
  'card.unfrozen': 'ACTIVE',
  'card.blocked': 'BLOCKED',
};

function takeCardEvent(walk: Replay, { name, data }: JournalEvent, due: string | undefined): void {
  const { card } = walk;
  if (name === 'card.reissued')
    Object.assign(card, walk.wallet[++walk.reissues] ?? { number: '' }, { wrongCvvs: 0 });
  const status = STATUS_OF[name];
  if (status) card.status = status;
  if (name !== 'card.blocked') return;
  const reason = String(data['statusReason']);
  const reasons = due ? [due] : walk.calls.map(({ what }) => ('reason' in what ? what.reason : ''));
  if (!reasons.includes(reason)) blame(walk, `blocked for "${reason}", not for "${reasons.join('" or "')}"`);
  card.blockReason = reason;
}

const statusAfter = (call: Call): ModelCard['status'] | undefined =>
  call.kind === 'block'
    ? 'BLOCKED'
    : call.kind === 'freeze'
      ? call.freeze
        ? 'FROZEN'
        : 'ACTIVE'
      : undefined;

/** A card does not change its status more often than requested. */
function checkCalled(walk: Replay, name: string, times: number): void {
  if (name === 'card.blocked') return;
  const calls = walk.calls.filter(({ what }) => statusAfter(what) === STATUS_OF[name]);
  const requests = calls.reduce((count, { attempts }) => count + attempts.length, 0);
  if (times > requests) blame(walk, `${times} times ${name}, requested ${requests} times`);
}

/** What must be looked for in the states of the card's life: all responses that left no event. */
function checksOf(walk: Replay, sent: Sent, hasEffect: boolean, spans: readonly Span[]): Check[] {
  const check = (span: Span, attempt: Attempt, fits: () => boolean): Check => ({
    what: `${textOf(sent.what)} answered ${attempt.status} ${textOf(attempt.body)}`,
    from: spans.findLastIndex(({ returnedAt }) => returnedAt < span.invokedAt) + 1,
    to: firstOr(spans.length, spans, ({ invokedAt }) => invokedAt > span.returnedAt),
    fits,
  });
  const first = accepted(sent);
  const answered =
    first && !hasEffect
      ? [
          check(spanOf(sent), first, () =>
            (isMessage(sent) ? leftNoEvent : isDone)(walk, sent as never, first),
          ),
        ]
      : [];
  const refusals = sent.attempts
    .filter((attempt) => attempt.status !== null && !isOk(attempt))
    .map((attempt) =>
      check(attempt, attempt, () => (isMessage(sent) ? isRefused : mayRefuse)(walk, sent as never, attempt)),
    );
  return [...answered, ...refusals];
}

function firstOr<Item>(none: number, items: readonly Item[], is: (item: Item) => boolean): number {
  const found = items.findIndex(is);
  return found === -1 ? none : found;
}

function leftNoEvent(walk: Replay, { what }: Sent<Message>, { body }: Attempt): boolean {
  if (what.kind === 'authorization' && walk.wallet.every(({ number }) => number !== what.number))
    return body.decline_reason === 'invalid_card_number';
  const { expected, hasEvent, apply } = predict(walk.card, what, walk.nowMs);
  const isKnown = transactionOf(walk.card, what) !== undefined;
  if (hasEvent || !matches(expected, body) || isKnown !== (body.transaction_id !== null)) return false;
  apply();
  return true;
}

/** Purchases and refunds share one space of ids. */
function isOfOtherKind({ messages }: Replay, what: Message): boolean {
  if (what.kind === 'refund' && messages.has(keyOf('authorization', what.id))) return true;
  const ids = [what.id, 'purchaseId' in what ? what.purchaseId : undefined];
  return what.kind !== 'refund' && ids.some((id) => messages.has(keyOf('refund', id)));
}

/** Refused for a field, or because the same id was sent before with another content. */
function isRefused(walk: Replay, sent: Sent<Message>, { status, body, returnedAt }: Attempt): boolean {
  const rivals = walk.messages.get(keyOf(sent.what.kind, sent.what.id)) ?? [];
  if (status === 409)
    return (
      isOfOtherKind(walk, sent.what) ||
      rivals.some((rival) => rival !== sent && accepted(rival) && spanOf(rival).invokedAt < returnedAt)
    );
  const { expected } = predict(walk.card, sent.what, walk.nowMs);
  return status === 400 && 'refusedFor' in expected && body.message.startsWith(`${expected.refusedFor}:`);
}

function isDone(walk: Replay, sent: Sent<Call>, { status, body }: Attempt): boolean {
  const { card, calls } = walk;
  const { what } = sent;
  if (what.kind === 'reissue') {
    const reissues = calls.filter((call) => call.what.kind === 'reissue' && accepted(call));
    return walk.reissues > reissues.indexOf(sent);
  }
  if (what.kind === 'controls') {
    card.limits = { ...card.limits, ...what.limits };
    return true;
  }
  if (what.kind !== 'adjust') return card.status === statusAfter(what);
  const creditMinor = availableOf(card) + what.amountMinor;
  if (status !== 201 || Number(decimal(creditMinor)) !== body.availableCredit) return false;
  card.givenMinor.push(what.amountMinor);
  return true;
}

function mayRefuse({ card, lastDay }: Replay, { what }: Sent<Call>, { status }: Attempt): boolean {
  if (status !== 400) return false;
  if (what.kind === 'adjust') return availableOf(card) + what.amountMinor < 0n;
  // A card that has expired refuses too; the journal does not show when the call came.
  return card.status === 'BLOCKED' || card.expiryDate < lastDay;
}

/** Copies get the same response, and of several contents under one id only one is accepted. */
function copyFindings({ messages }: Replay): string[] {
  return [...messages].flatMap(([key, rivals]) => {
    const winners = rivals.filter(responseOf);
    const bodies = winners.flatMap(({ attempts, stored }) => [
      ...(stored ? [stored] : []),
      ...attempts.filter(isOk).map(({ body }) => body),
    ]);
    const odd = bodies.filter((body) => !isDeepStrictEqual(body, bodies[0]));
    return [
      ...(winners.length > 1 ? [`${key}: two contents were accepted`] : []),
      ...odd.map((body) => `${key}: answered ${textOf(body)} after ${textOf(bodies[0])}`),
    ];
  });
}
