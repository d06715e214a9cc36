import type { Entry } from '../../rules/velocity/entries.ts';
import type { Setting } from './effects.ts';
import { type Asked, type AttemptCard, type Attempted, attemptOf } from './rule-attempt.ts';
import { type Counted, countOn, type Mark } from './spending.ts';
import type { TransactionRecord } from './transaction.ts';
import { counts } from './usage.ts';

/** What of a transaction counts in velocities. */
export type Countable = Pick<
  TransactionRecord,
  'counted' | 'kind' | 'heldMinor' | 'clearedMinor' | 'acceptor'
>;

/** How an attempt to buy counts in velocities. Undefined: in none. An account check counts nowhere. */
export function purchaseMark(
  asked: Asked,
  purchase: Attempted,
  card: AttemptCard,
  setting: Setting,
  counted: readonly Counted[],
): Mark | undefined {
  const velocities = metBy(asked, purchase, card, setting, (ruleId) => ruleId === null);
  const isMore = counted.some(({ mark }) => mark?.kind === 'purchase');
  return markAt(counted, setting, velocities, isMore ? 'more' : 'purchase');
}

/** A transaction with a declined attempt. The velocities of the rule that declined it do not count it. */
export function markedDecline<Transaction extends Attempted & Pick<TransactionRecord, 'counted'>>(
  asked: Asked,
  transaction: Transaction,
  card: AttemptCard,
  setting: Setting,
  declinedBy: string | undefined,
): Transaction {
  const { counted } = transaction;
  const isMeant = (ruleId: string | null) => ruleId !== null && ruleId !== declinedBy;
  const velocities = metBy(asked, transaction, card, setting, isMeant);
  const mark = markAt(counted, setting, velocities, 'decline');
  return mark ? { ...transaction, counted: countOn(counted, setting.today, 0n, mark) } : transaction;
}

function metBy(
  asked: Asked,
  purchase: Attempted,
  card: AttemptCard,
  setting: Setting,
  isMeant: (ruleId: string | null) => boolean,
): number[] {
  const { rules, velocities } = setting;
  if (!rules || !velocities || asked.billAmountMinor === 0n) return [];
  const attempt = attemptOf(asked, purchase, card, setting, rules);
  const numbers: number[] = [];
  for (const { number, ruleId, meets } of rules.velocities.values())
    if (isMeant(ruleId) && meets(attempt)) numbers.push(number);
  return numbers;
}

function markAt(
  counted: readonly Counted[],
  { nowMs }: Setting,
  velocities: readonly number[],
  kind: Mark['kind'],
): Mark | undefined {
  if (velocities.length === 0) return undefined;
  const atMs = counted.reduce(
    (latest, { mark }) => Math.max(latest, mark ? mark.atMs + 1 : 0),
    Math.floor(nowMs),
  );
  return { atMs, velocities, kind };
}

/**
 * How a clearing counts beyond its hold: with what was approved on that day; without an approved amount at its own time, the
 * first one as a purchase.
 */
export function clearedMark(
  asked: Asked,
  purchase: Attempted & Pick<TransactionRecord, 'counted' | 'approvedOn' | 'billAmountMinor'>,
  card: AttemptCard,
  setting: Setting,
): Mark | undefined {
  const { approvedOn, billAmountMinor, counted } = purchase;
  const approved =
    approvedOn !== null &&
    counted.find(({ day, mark }) => day === approvedOn && mark && mark.kind !== 'decline')?.mark;
  if (approved) return approved;
  // An account check approves nothing.
  const isApproved = approvedOn !== null && billAmountMinor > 0n;
  return isApproved ? undefined : purchaseMark(asked, purchase, card, setting, counted);
}

/** What a transaction counts in velocities. A purchase counts while something of it is held or has cleared. */
export function entriesOf(transaction: Countable | undefined): Entry[] {
  if (!transaction) return [];
  const isOpen = Number(counts(transaction));
  return transaction.counted.flatMap(({ minor, mark }) => {
    if (!mark) return [];
    const { atMs, velocities, kind } = mark;
    return [{ atMs, velocities, minor, count: { purchase: isOpen, more: 0, decline: 1 }[kind] }];
  });
}
