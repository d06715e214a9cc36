import type { CardFacts } from '../../cards/card-facts.ts';
import type { Entry } from '../../rules/velocity/entries.ts';
import type { Setting } from './effects.ts';
import { attemptOf } from './rule-attempt.ts';
import { type Counted, countOn, type Mark } from './spending.ts';
import type { TransactionRecord } from './transaction.ts';
import { counts } from './usage.ts';

type Asked = Parameters<typeof attemptOf>[0];

/** How an attempt to buy counts in velocities. Undefined: in none. An account check counts nowhere. */
export function purchaseMark(
  asked: Asked,
  purchase: TransactionRecord,
  card: CardFacts,
  setting: Setting,
  counted: readonly Counted[],
): Mark | undefined {
  const velocities = metBy(asked, purchase, card, setting, (ruleId) => ruleId === null);
  const isMore = counted.some(({ mark }) => mark?.kind === 'purchase');
  return markAt(counted, setting, velocities, isMore ? 'more' : 'purchase');
}

/** A transaction with a declined attempt. The velocities of the rule that declined it do not count it. */
export function markedDecline(
  asked: Asked,
  transaction: TransactionRecord,
  card: CardFacts,
  setting: Setting,
  declinedBy: string | undefined,
): TransactionRecord {
  const { counted } = transaction;
  const isMeant = (ruleId: string | null) => ruleId !== null && ruleId !== declinedBy;
  const velocities = metBy(asked, transaction, card, setting, isMeant);
  const mark = markAt(counted, setting, velocities, 'decline');
  return mark ? { ...transaction, counted: countOn(counted, setting.today, 0n, mark) } : transaction;
}

function metBy(
  asked: Asked,
  purchase: TransactionRecord,
  card: CardFacts,
  setting: Setting,
  isMeant: (ruleId: string | null) => boolean,
): number[] {
  const { rules, velocities } = setting;
  if (!rules || !velocities || asked.billAmountMinor === 0n) return [];
  const attempt = attemptOf(asked, purchase, card, setting, rules);
  return [...rules.velocities.values()].flatMap(({ number, ruleId, meets }) =>
    isMeant(ruleId) && meets(attempt) ? number : [],
  );
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

/** What is cleared above its hold counts with the approval. */
export const firstMark = (counted: readonly Counted[]): Mark | undefined =>
  counted.find(({ mark }) => mark?.kind === 'purchase')?.mark;

/** What a transaction counts in velocities. A purchase counts while something of it is held or has cleared. */
export function entriesOf(
  transaction:
    | Pick<TransactionRecord, 'counted' | 'kind' | 'heldMinor' | 'clearedMinor' | 'acceptor'>
    | undefined,
): Entry[] {
  if (!transaction) return [];
  const isOpen = Number(counts(transaction));
  return transaction.counted.flatMap(({ minor, mark }) => {
    if (!mark) return [];
    const { atMs, velocities, kind } = mark;
    return [{ atMs, velocities, minor, count: { purchase: isOpen, more: 0, decline: 1 }[kind] }];
  });
}
