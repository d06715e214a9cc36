import type { Planned } from './action.ts';
import { makePerson } from './people.ts';
import { DAY_MS, type History, MINUTE_MS } from './plan.ts';
import { planPerson } from './plan-person.ts';

/** Actions within this time share one clock setting, so that the engine can gather them. */
const STEP_MS = 30 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;

export function planHistory(history: History, cards: number): Planned[] {
  const people = Array.from({ length: cards }, (_, index) => makePerson(history.seed, index));
  const planned = people.flatMap((person) => planPerson(history, person));
  return [...planFunding(history, planned), ...planned].sort((one, other) => one.atMs - other.atMs);
}

/** Funds the program every week with the amount that its cards will receive, and a tenth more. */
function planFunding({ startMs, endMs }: History, planned: readonly Planned[]): Planned[] {
  const weeks = Array.from({ length: Math.ceil((endMs - startMs) / WEEK_MS) }, () => 0n);
  for (const action of planned) {
    const week = Math.floor((action.atMs - startMs) / WEEK_MS);
    if (action.kind === 'top up') weeks[week] = (weeks[week] ?? 0n) + action.amountMinor;
    if (action.kind === 'open')
      weeks[week] = (weeks[week] ?? 0n) + BigInt(action.card.spendLimit ?? 0) * 100n;
  }
  return weeks.map((neededMinor, week) => ({
    kind: 'fund',
    lane: -1,
    atMs: startMs + week * WEEK_MS + 10 * MINUTE_MS,
    amountMinor: ((neededMinor * 11n) / 10n / 100_000n + 1n) * 100_000n,
    reference: `Funding of week ${week + 1}`,
  }));
}

/** Lanes run concurrently, the actions of a lane one after another. `planned` must be in order of time. */
export function* stepsOf(planned: readonly Planned[]): Generator<{ atMs: number; lanes: Planned[][] }> {
  for (let from = 0; from < planned.length; ) {
    const { atMs } = planned[from] as Planned;
    const lanes = new Map<number, Planned[]>();
    for (let next = planned[from]; next && next.atMs < atMs + STEP_MS; next = planned[++from])
      lanes.set(next.lane, [...(lanes.get(next.lane) ?? []), next]);
    // A step must not run into the next day, because limits are counted per day.
    const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS;
    yield { atMs: Math.min(atMs, dayMs + DAY_MS - MINUTE_MS), lanes: [...lanes.values()] };
  }
}
