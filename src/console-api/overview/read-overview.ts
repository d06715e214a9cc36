import { DECLINES, type DeclineReason } from '../../authorizations/core/decline.ts';
import { type Sums, sumWindow, type Window } from '../../authorizations/totals/queries.ts';
import { listTransactions } from '../../authorizations/transactions/queries.ts';
import { CARD_LIST } from '../../cards/queries.ts';
import { makeDue } from '../../jobs/queries.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt, timeOf } from '../../kernel/ids.ts';
import { formatAmount } from '../../kernel/money.ts';
import { findMasterBalances } from '../../ledger/queries.ts';
import { countBefore } from '../../lists/queries.ts';
import type { Actor } from '../../programs/actor.ts';
import { findCursor } from '../../programs/cursor-queries.ts';
import type { QueryServices } from '../services.ts';
import { DEFAULT_WINDOW, type WindowName, windowAt } from './window.ts';

const MOST_MERCHANTS = 10;
/** The most transactions of the tail, which the hourly totals do not include yet, that a reader counts. */
const MOST_TAIL = 100_000;

/** Without a name: the last seven days with data. */
export async function readOverview(
  { db }: Pick<QueryServices, 'db'>,
  actor: Actor,
  name: WindowName | undefined,
  tailLimit = MOST_TAIL,
) {
  const { id: programId, currency } = actor.program;
  const nowMs = actor.now();
  const [{ untilMs, window, summed }, cards, { masterMinor, heldMinor }] = await Promise.all([
    name ? sumUntil(db, programId, name, nowMs, tailLimit) : sumNewest(db, programId, nowMs, tailLimit),
    countBefore(db, CARD_LIST, programId, HIGHEST_ID),
    findMasterBalances(db, programId),
  ]);
  const { steps, before, comparable, days, reasons, merchants, tail } = summed;
  const complete = tail < tailLimit;
  // The next reader finds more of it counted.
  if (!complete) await makeDue(db, programId, ['hourly-totals']);
  const inWords = (sums: Sums) => ({ ...sums, spend: formatAmount(BigInt(sums.spend), currency) });
  const inTime = (starts: readonly number[], some: readonly (Sums & { startMs: number })[]) => {
    const sumsAt = new Map(some.map((sums) => [sums.startMs, sums]));
    return starts.map((startMs) => {
      const { approved, declined, spend } = sumsAt.get(startMs) ?? NOTHING;
      return { start: formatTimestamp(new Date(startMs)), ...inWords({ approved, declined, spend }) };
    });
  };
  return {
    now: formatTimestamp(new Date(nowMs)),
    until: formatTimestamp(new Date(untilMs)),
    window: name ?? DEFAULT_WINDOW,
    currency,
    sliceSeconds: window.stepMs / 1_000,
    slices: inTime(window.starts, steps),
    days: inTime(window.dayStarts, days),
    totals: { ...inWords(totalOf(steps)), cards: cards.rank },
    previous: inWords(before),
    comparable,
    declineReasons: reasons.map(({ reason, count }) => ({
      reason,
      meaning: DECLINES[reason as DeclineReason].meaning,
      count,
    })),
    topMerchants: merchants.map((merchant) => ({
      ...merchant,
      spend: formatAmount(BigInt(merchant.spend), currency),
    })),
    balance: formatAmount(masterMinor + heldMinor, currency),
    held: formatAmount(heldMinor, currency),
    available: formatAmount(masterMinor, currency),
    complete,
  };
}

async function sumUntil(
  db: QueryServices['db'],
  programId: string,
  name: WindowName,
  untilMs: number,
  limit: number,
) {
  const window = windowAt(name, untilMs);
  return { untilMs, window, summed: await sumAll(db, programId, window, limit) };
}

/** Until now, or if nothing was decided in that time, until the last transaction. */
async function sumNewest(db: QueryServices['db'], programId: string, nowMs: number, limit: number) {
  const newest = await sumUntil(db, programId, DEFAULT_WINDOW, nowMs, limit);
  if (newest.summed.steps.length > 0) return newest;
  const [last] = await listTransactions(db, programId, null, HIGHEST_ID, LOWEST_ID, 1);
  return last ? sumUntil(db, programId, DEFAULT_WINDOW, timeOf(last.id), limit) : newest;
}

const NOTHING: Sums = { approved: 0, declined: 0, spend: '0' };

const totalOf = (steps: readonly Sums[]): Sums => ({
  approved: steps.reduce((sum, { approved }) => sum + approved, 0),
  declined: steps.reduce((sum, { declined }) => sum + declined, 0),
  spend: String(steps.reduce((sum, { spend }) => sum + BigInt(spend), 0n)),
});

/** Reads one snapshot, so that every transaction is either in the totals or in the tail. */
const sumAll = (db: QueryServices['db'], programId: string, window: Window, limit: number) =>
  db.snapshot(async (tx) => {
    const position = (await findCursor(tx, programId, 'transaction-totals')) ?? LOWEST_ID;
    const startMs = Math.min(window.startMs, window.before.startMs, window.days.startMs);
    const fromId = lowestIdAt(Math.max(timeOf(position), startMs));
    return sumWindow(tx, programId, window, { fromId, limit }, MOST_MERCHANTS);
  });
