import type { Outcome } from '../../rules/backtests/backtest.ts';
import { clearedMark } from '../core/marks.ts';
import { countOn, uncount } from '../core/spending.ts';
import { heldAfter, minorOf, newPast, type Past, withOrigin } from './past.ts';
import type { PastEvent } from './queries.ts';
import { beginning, enter, leave, type PastCard, type Replay, type Step } from './replay.ts';
import { replayAuthorization, replayDecline, replayIncrement } from './replay-attempt.ts';

type Replayer = (replay: Replay, event: PastEvent, before: Past | undefined, card: PastCard) => Step;

/** Events with other names change nothing that rules see. */
const REPLAYERS: Readonly<Record<string, Replayer>> = {
  authorization: replayAuthorization,
  'authorization.declined': replayDecline,
  'authorization.increment': replayIncrement,
  'authorization.clearing': replayClearing,
  'authorization.clearing.reversal': replayClearingReversal,
  'authorization.reversal': replayRelease,
  'authorization.expired': replayRelease,
};

/** Replays one event. Returns what the rule says of it, if it was an attempt from the first day on. */
export function replayEvent(replay: Replay, event: PastEvent): Outcome | undefined {
  const replayer = REPLAYERS[event.eventName];
  if (!replayer) return undefined;
  const { before, card } = enter(replay, event);
  const step = replayer(replay, event, before, card);
  leave(replay, before, step);
  return step.outcome;
}

/** Replays an event of a transaction from before what was counted last: nothing is judged, and nothing counts. */
export function replayEarlier(replay: Replay, event: PastEvent): void {
  replay.isEarlier = true;
  replayEvent(replay, event);
  replay.isEarlier = false;
}

function replayRelease({ setting: { program } }: Replay, event: PastEvent, before: Past | undefined): Step {
  const past = beginning(before, event);
  if (past.kind === 'refund') return { after: past };
  const heldMinor = heldAfter(past, event, program.currency);
  const counted = uncount(past.counted, past.heldMinor - heldMinor);
  return { after: { ...past, heldMinor, counted } };
}

function replayClearing(replay: Replay, event: PastEvent, before: Past | undefined, card: PastCard): Step {
  const { setting } = replay;
  const { currency } = setting.program;
  const minor = minorOf(event.billAmount, currency);
  const past = withOrigin(before ?? { ...newPast(event), billAmountMinor: minor }, event);
  const cleared = {
    ...past,
    clearedMinor: past.clearedMinor + minor,
    fxClearedMinor: past.fxClearedMinor + (event.currency === currency ? 0n : minor),
  };
  const heldMinor = heldAfter(cleared, event, currency);
  const fromHoldMinor = minor < past.heldMinor ? minor : past.heldMinor;
  const asked = { billAmountMinor: minor, currency: event.currency, network: past.network };
  const mark = clearedMark(asked, past, card, setting);
  const countedOn = past.approvedOn ?? setting.today;
  const left = uncount(past.counted, past.heldMinor - fromHoldMinor - heldMinor);
  const counted = minor > fromHoldMinor ? countOn(left, countedOn, minor - fromHoldMinor, mark) : left;
  const clearing = { id: event.messageId, day: countedOn, final: event.final, openMinor: minor };
  const final = past.final || event.final;
  return { after: { ...cleared, heldMinor, counted, final, clearings: [...past.clearings, clearing] } };
}

function replayClearingReversal(
  { setting: { program } }: Replay,
  event: PastEvent,
  before: Past | undefined,
): Step {
  const past = beginning(before, event);
  const minor = minorOf(event.billAmount, program.currency);
  const reversed = past.clearings.find(({ id }) => id === event.reverses);
  const clearedMinor = past.clearedMinor - minor;
  const wasLast = reversed?.final === true && reversed.openMinor === minor;
  return {
    after: {
      ...past,
      clearedMinor,
      final: past.final && clearedMinor > 0n && !wasLast,
      clearings: past.clearings.map((clearing) =>
        clearing === reversed ? { ...clearing, openMinor: clearing.openMinor - minor } : clearing,
      ),
      fxClearedMinor: past.fxClearedMinor - (event.currency === program.currency ? 0n : minor),
      counted: uncount(past.counted, minor, reversed?.day),
    },
  };
}
