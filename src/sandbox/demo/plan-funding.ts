import { type Planned, PROGRAM_LANE } from './action.ts';
import { DAY_MS, type History, MINUTE_MS } from './plan.ts';

const WEEK_MS = 7 * DAY_MS;
const ROUND_MINOR = 100_000n;

/** Every week the program is funded with what its cards are going to be given, and a tenth more. */
export function planFunding({ startMs, endMs }: History, planned: readonly Planned[]): Planned[] {
  const weeks = Array.from({ length: Math.ceil((endMs - startMs) / WEEK_MS) }, () => 0n);
  for (const action of planned) {
    const week = Math.floor((action.atMs - startMs) / WEEK_MS);
    weeks[week] = (weeks[week] ?? 0n) + givenMinor(action);
  }
  return weeks.map((neededMinor, week) => ({
    kind: 'fund',
    lane: PROGRAM_LANE,
    atMs: startMs + week * WEEK_MS + 10 * MINUTE_MS,
    amountMinor: ((neededMinor * 11n) / 10n / ROUND_MINOR + 1n) * ROUND_MINOR,
    reference: `Funding of week ${week + 1}`,
  }));
}

function givenMinor(action: Planned): bigint {
  if (action.kind === 'top up') return action.amountMinor;
  return action.kind === 'open' ? BigInt(action.card.spendLimit ?? 0) * 100n : 0n;
}
