import { isDeepStrictEqual } from 'node:util';
import { accepted, type Life } from './engine-clients.ts';
import type { Attempt, Item, MerchantCall, MerchantOp, Message, NetworkOp } from './engine-messages.ts';
import { availableOf, decimal, type ModelCard, sum } from './engine-model.ts';
import { type Expected, predict } from './engine-predictions.ts';

/**
 * Something that was answered and left no event: a refusal, a reversal with nothing to give back, a freeze of a frozen
 * card. Nobody knows when in its step it was decided, so it must fit one of the states that the step went through.
 */
export interface Silent {
  what: string;
  fits(): boolean;
}

/** How far the walk through a card's journal has come. */
export interface Replay {
  life: Life;
  card: ModelCard;
  /** Messages by kind and id; more than one where one id was sent with several contents. */
  ops: Map<string, NetworkOp[]>;
  merchantOps: Array<{ op: MerchantOp; step: number; done: boolean }>;
  /** Messages that an event tells of. */
  effects: Set<string>;
  lastDay: string;
  step: number;
  nowMs: number;
  reissues: number;
  silent: Silent[];
  /** What expiries gave back since the last other event: an adjustment may have come before or after each. */
  released: bigint[];
  findings: string[];
}

export const keyOf = (kind: unknown, id: unknown): string => `${kind}/${id}`;
export const plain = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? decimal(value) : value;

export function matches(expected: Expected, body: Record<string, unknown>): boolean {
  if (!('answer' in expected)) return false;
  return Object.entries(expected.answer).every(([field, value]) => body[field] === value);
}

/** What of one item of the present step must be looked for; adjustments and limits are applied at once. */
export function silentOnes(replay: Replay, item: Item): Silent[] {
  if ('merchant' in item) return silentCalls(replay, item.merchant);
  const { step } = replay;
  const { message, attempts } = item.op;
  const isSilent = !replay.effects.has(keyOf(message?.kind, message?.id)) && accepted(item.op)?.step === step;
  return attempts
    .filter((attempt) => attempt.step === step && (attempt.status !== 200 || isSilent))
    .map((attempt) => ({
      what: `${JSON.stringify(message, plain)} answered ${attempt.status} ${JSON.stringify(attempt.body)}`,
      fits: () => fitsNow(replay, item.op, attempt),
    }));
}

function fitsNow(replay: Replay, op: NetworkOp, { status, body }: Attempt): boolean {
  const message = op.message as Message;
  if (status === 409) return lostToAnother(replay, op);
  if (message.kind === 'authorization')
    return (
      isStranger(replay, message.number) && status === 200 && body.decline_reason === 'invalid_card_number'
    );
  const { expected, tells, apply } = predict(replay.card, message, replay.nowMs);
  if (status === 400) return 'refusedFor' in expected && body.message.startsWith(`${expected.refusedFor}:`);
  const isKnown = 'purchaseId' in message && replay.card.purchases.has(message.purchaseId ?? '');
  if (status !== 200 || tells || !matches(expected, body) || isKnown !== (body.transaction_id !== null))
    return false;
  apply();
  return true;
}

/** The same id with another content was there first. */
function lostToAnother({ ops, step }: Replay, op: NetworkOp): boolean {
  const rivals = ops.get(keyOf(op.message?.kind, op.message?.id)) ?? [];
  return rivals.some((rival) => rival !== op && (accepted(rival)?.step ?? step + 1) <= step);
}

const isStranger = ({ life }: Replay, asked: string): boolean =>
  life.wallet.every(({ number }) => number !== asked);

function silentCalls(replay: Replay, op: MerchantOp): Silent[] {
  const { card } = replay;
  const { call } = op;
  const [attempt] = op.attempts;
  const what = `${call.act} answered ${attempt?.status} ${JSON.stringify(attempt?.body)} with ${decimal(availableOf(card))}`;
  const wrong = { what, fits: () => false };
  if (!attempt) return [wrong];
  if (call.act === 'adjust') return adjust(replay, call.amountMinor, attempt) ? [] : [wrong];
  if (call.act === 'controls') {
    card.limits = { ...card.limits, ...call.limits };
    return attempt.status === 200 ? [] : [wrong];
  }
  const isDone = () => replay.merchantOps.some((known) => known.op === op && known.done);
  return [{ what, fits: () => isDone() || leavesNoTrace(replay, call, attempt) }];
}

/** No event tells when it was; its answer does, by the credit that it left. */
function adjust({ card, released }: Replay, amountMinor: bigint, { status, body }: Attempt): boolean {
  const now = availableOf(card);
  const credits = [now, ...released.map((_, n) => now - sum(released.slice(n)))];
  if (status === 400) return credits.some((credit) => credit + amountMinor < 0n);
  card.givenMinor.push(amountMinor);
  const fits = credits.some((credit) => Number(decimal(credit + amountMinor)) === body.availableCredit);
  return status === 201 && fits;
}

function leavesNoTrace({ card, life, lastDay }: Replay, call: MerchantCall, { status }: Attempt): boolean {
  // Past its expiry a card refuses too; when the call came is not kept, so a card that expired some time is let off.
  if (status === 400) return card.status === 'BLOCKED' || life.expiryDate < lastDay;
  return status === 200 && card.status === statusAfter(call);
}

function statusAfter(call: MerchantCall): ModelCard['status'] | undefined {
  if (call.act === 'block') return 'BLOCKED';
  if (call.act === 'freeze') return call.freeze ? 'FROZEN' : 'ACTIVE';
  return undefined;
}

/** Copies are answered alike, and of several contents under one id one alone is accepted. */
export function copyFindings(ops: ReadonlyMap<string, NetworkOp[]>): string[] {
  return [...ops].flatMap(([key, rivals]) => {
    const winners = rivals.filter(accepted);
    const bodies = winners.flatMap(({ attempts }) =>
      attempts.filter(({ status }) => status === 200).map(({ body }) => body),
    );
    const odd = bodies.filter((body) => !isDeepStrictEqual(body, bodies[0]));
    return [
      ...(winners.length > 1 ? [`${key}: two contents were accepted`] : []),
      ...odd.map((body) => `${key}: answered ${JSON.stringify(body)} after ${JSON.stringify(bodies[0])}`),
    ];
  });
}
