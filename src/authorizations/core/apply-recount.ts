import type { CardFacts } from '../../cards/card-facts.ts';
import { dayStartMs } from '../../kernel/calendar.ts';
import type { LoadedVelocity } from '../../rules/rule.ts';
import type { Effects, Setting } from './effects.ts';
import type { RecountRequest } from './message.ts';
import { attemptOf } from './rule-attempt.ts';
import type { Counted, Mark } from './spending.ts';
import type { TransactionRecord } from './transaction.ts';

/** Counts a transaction in velocities that did not count it. Safe to repeat: what counts already counts once. */
export function applyRecount(
  { velocities: numbers }: RecountRequest,
  { card, transaction: before }: { card: CardFacts; transaction: TransactionRecord },
  setting: Setting,
): Effects<boolean> {
  const { rules } = setting;
  // A declined credit is a declined attempt. An account check counts where money has cleared on it.
  const isAttempt = before.kind === 'purchase' || before.status === 'DECLINED';
  const isCheck = before.billAmountMinor === 0n && before.counted.length === 0;
  if (!rules || !isAttempt || isCheck) return { response: true, transfers: [] };
  const velocities = numbers.flatMap((number) => rules.velocities.get(number) ?? []);
  const counted =
    before.status === 'DECLINED' && !before.counted.some(({ mark }) => mark?.kind === 'decline')
      ? [...before.counted, { day: dayOfDecline(before), minor: 0n }]
      : before.counted;
  const marked = counted.map((part, index) => ({
    ...part,
    ...markFor(part, index, { before, card, setting, velocities }),
  }));
  return { response: true, transaction: { ...before, counted: marked.filter(countsStill) }, transfers: [] };
}

const dayOfDecline = ({ createdAt }: TransactionRecord) => createdAt.toISOString().slice(0, 10);

const countsStill = ({ minor, mark }: Counted): boolean => minor > 0n || mark !== undefined;

function markFor(
  part: Counted,
  index: number,
  {
    before,
    card,
    setting,
    velocities,
  }: {
    before: TransactionRecord;
    card: CardFacts;
    setting: Setting;
    velocities: readonly LoadedVelocity[];
  },
): { mark?: Mark } {
  const kind = part.mark?.kind ?? (part.minor === 0n ? 'decline' : index === 0 ? 'purchase' : 'more');
  const atMs = part.mark?.atMs ?? freeTime(timeOfPart(part, before) + index, before);
  const known = part.mark?.velocities ?? [];
  const rules = setting.rules as NonNullable<Setting['rules']>;
  const attempt = attemptOf(before, before, card, { ...setting, nowMs: atMs }, rules);
  const added = velocities.flatMap(({ number, measure, meets }) =>
    (measure === 'DECLINES') === (kind === 'decline') && !known.includes(number) && meets(attempt)
      ? number
      : [],
  );
  const all = [...known, ...added];
  return all.length > 0 ? { mark: { atMs, kind, velocities: all } } : {};
}

/** A mark's time names it among those of its transaction. */
function freeTime(atMs: number, { counted }: TransactionRecord): number {
  const taken = counted.map(({ mark }) => mark?.atMs);
  let free = atMs;
  while (taken.includes(free)) free += counted.length;
  return free;
}

/** A part of a later day is an increment, whose time is known if it is the last one. */
function timeOfPart({ day }: Counted, { createdAt, renewedAt }: TransactionRecord): number {
  const [first, last] = [createdAt, renewedAt ?? createdAt];
  const known = [first, last].find((at) => at.toISOString().slice(0, 10) === day);
  return known ? known.getTime() : dayStartMs(day);
}
