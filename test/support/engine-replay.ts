import { accepted, type Life } from './engine-clients.ts';
import type { MerchantOp, Message, NetworkOp } from './engine-messages.ts';
import { availableOf, decimal, expire, type ModelCard, newModelCard, type Terms } from './engine-model.ts';
import { blockDue, predict } from './engine-predictions.ts';
import { copyFindings, keyOf, matches, plain, type Replay, silentOnes } from './engine-silent.ts';

/** One event of a card's journal. */
export interface JournalEvent {
  name: string;
  data: Record<string, unknown>;
  atMs: number;
}

const KINDS: Record<string, Message['kind']> = {
  authorization: 'authorization',
  'authorization.declined': 'authorization',
  'authorization.reversal': 'reversal',
  'authorization.clearing': 'clearing',
  refund: 'refund',
};
const keyOfEvent = ({ name, data }: JournalEvent): string => keyOf(KINDS[name], data['message_id']);

/**
 * Takes a card's events in the order the database gave them, finds the message behind each, and asks the model what
 * should have come of it then. Whichever order concurrent messages took, every answer must follow from that order, and
 * the order must keep to what clients saw: what was answered before another was asked comes before it.
 */
export function replayLife(
  life: Life,
  terms: Terms,
  events: readonly JournalEvent[],
): { card: ModelCard; findings: string[] } {
  const replay = startReplay(life, terms, events);
  for (const event of events) take(replay, event);
  enter(replay, life.steps.length);
  return { card: replay.card, findings: [...replay.findings, ...copyFindings(replay.ops)] };
}

function startReplay(life: Life, terms: Terms, events: readonly JournalEvent[]): Replay {
  const [first] = life.wallet;
  if (!first) throw new Error('a card without credentials');
  return {
    life,
    card: newModelCard(terms, life.spendLimitMinor, { ...first, expiryDate: life.expiryDate }),
    ops: opsOf(life),
    merchantOps: life.steps.flatMap((items, step) =>
      items.flatMap((item) => ('merchant' in item ? [{ op: item.merchant, step, done: false }] : [])),
    ),
    effects: new Set(events.map(keyOfEvent)),
    lastDay: new Date(events.at(-1)?.atMs ?? 0).toISOString().slice(0, 10),
    step: -1,
    nowMs: 0,
    reissues: 0,
    silent: [],
    released: [],
    findings: [],
  };
}

function opsOf({ steps }: Life): Map<string, NetworkOp[]> {
  const ops = new Map<string, NetworkOp[]>();
  const sent = steps.flat().flatMap((item) => ('op' in item ? [item.op] : []));
  for (const op of new Set(sent)) {
    const key = keyOf(op.message?.kind, op.message?.id);
    ops.set(key, [...(ops.get(key) ?? []), op]);
  }
  return ops;
}

const blame = ({ findings, life, step }: Replay, text: string): void => {
  findings.push(`card ${life.cardId}, step ${step}: ${text}`);
};

function take(replay: Replay, event: JournalEvent): void {
  const { card } = replay;
  const due = blockDue(card);
  if (due && event.name !== 'card.blocked')
    blame(replay, `${event.name}, and the card is not blocked for "${due}"`);
  replay.nowMs = event.atMs;
  if (event.name === 'authorization.expired') takeExpiry(replay, event);
  else {
    if (KINDS[event.name]) takeMessage(replay, event);
    else takeCardEvent(replay, event);
    replay.released = [];
  }
  settle(replay);
}

/** Goes on to a step of the script; what the one before answered without an event must have found its state by then. */
function enter(replay: Replay, target: number): void {
  while (replay.step < target) {
    for (const { what } of replay.silent) blame(replay, `${what} fits no state of its time`);
    replay.step++;
    replay.silent = (replay.life.steps[replay.step] ?? []).flatMap((item) => silentOnes(replay, item));
    settle(replay);
  }
}

function settle(replay: Replay): void {
  replay.silent = replay.silent.filter(({ fits }) => !fits());
}

function takeMessage(replay: Replay, event: JournalEvent): void {
  const { card, step } = replay;
  const key = keyOfEvent(event);
  const op = replay.ops.get(key)?.find(accepted);
  const answer = op && accepted(op);
  if (!op?.message || !answer) {
    blame(replay, `${event.name} ${key}: an effect that nobody was told of`);
    return;
  }
  if (answer.step < step) blame(replay, `${key} of step ${answer.step} took effect only now`);
  enter(replay, answer.step);
  const { expected, tells, apply } = predict(card, op.message, event.atMs);
  const model = `the model says ${JSON.stringify(expected)} with ${decimal(availableOf(card))} available`;
  if (!tells || !matches(expected, answer.body))
    blame(replay, `${JSON.stringify(op.message, plain)} answered ${JSON.stringify(answer.body)}, ${model}`);
  const told = { status: event.data['status'], bill_amount: event.data['bill_amount'] };
  // The late authorization of a cleared purchase may be declined, and the purchase stays cleared.
  if (op.message.kind !== 'authorization' && !matches(expected, { ...answer.body, ...told }))
    blame(replay, `${key}: the event tells ${JSON.stringify(told)}, ${model}`);
  apply();
}

function takeExpiry(replay: Replay, { data, atMs }: JournalEvent): void {
  const before = availableOf(replay.card);
  const heldMinor = expire(replay.card, String(data['external_transaction_id']), atMs);
  if (heldMinor === undefined || data['bill_amount'] !== decimal(heldMinor))
    blame(replay, `expiry ${JSON.stringify(data)}: the model has ${heldMinor} to release`);
  replay.released.push(availableOf(replay.card) - before);
}

function takeCardEvent(replay: Replay, { name, data }: JournalEvent): void {
  const { card } = replay;
  if (name === 'card.created') return;
  const due = blockDue(card);
  if (name === 'card.blocked' && due) {
    if (data['statusReason'] !== due) blame(replay, `blocked for ${data['statusReason']}, not for "${due}"`);
    Object.assign(card, { status: 'BLOCKED', blockReason: due });
    return;
  }
  const found = replay.merchantOps.find(
    (known) => !known.done && known.step >= replay.step && eventOf(known.op) === name,
  );
  if (!found) {
    blame(replay, `${name} ${JSON.stringify(data)} without a call`);
    return;
  }
  enter(replay, found.step);
  found.done = true;
  const { call } = found.op;
  if (call.act === 'block') Object.assign(card, { status: 'BLOCKED', blockReason: call.reason });
  if (call.act === 'freeze') card.status = call.freeze ? 'FROZEN' : 'ACTIVE';
  if (call.act === 'reissue') Object.assign(card, replay.life.wallet[++replay.reissues], { wrongCvvs: 0 });
}

function eventOf({ call }: MerchantOp): string | undefined {
  if (call.act === 'freeze') return call.freeze ? 'card.frozen' : 'card.unfrozen';
  if (call.act === 'block') return 'card.blocked';
  return call.act === 'reissue' ? 'card.reissued' : undefined;
}
