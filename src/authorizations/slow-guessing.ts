import { setTimeout as pause } from 'node:timers/promises';
import { countInWindows } from '../kernel/window-counts.ts';
import type { DeclineReason } from './decline.ts';
import type { AuthorizationAnswer } from './message.ts';

/** What somebody is told who tries out numbers, expiry dates and CVVs. */
export const GUESSES: readonly DeclineReason[] = ['invalid_card_number', 'expiry_mismatch', 'cvv_mismatch'];

const WINDOW_MS = 600_000;
const MOST_MERCHANTS = 10_000;
/** Each further one waits so much longer, up to what a network waits without giving up. */
const STEP_MS = 50;
const LONGEST_MS = 2_000;
/** Answers are held back in memory: beyond so many they leave at once. */
const MOST_HELD = 1_000;

export interface GuessWatch {
  /** How many at one merchant in ten minutes are mistakes; 0: all. */
  mostMistakes: number;
  countSlowed: (reason: string) => void;
  /** Called once for each merchant and ten minutes. */
  onGuessing: (programId: string, merchantId: string) => void;
}

/** Waits as long as the answer is to be held back; `elapsedMs` is how long its request has taken already. */
export type SlowGuessing = (
  programId: string,
  merchantId: string,
  answer: AuthorizationAnswer,
  elapsedMs: number,
) => Promise<void>;

/**
 * Whoever tries out cards at one merchant gets the right answers, but slowly. It is decided and committed by then, so
 * that nothing but the answer waits, and good purchases at the same merchant do not wait at all.
 */
export function createSlowGuessing({ mostMistakes, countSlowed, onGuessing }: GuessWatch): SlowGuessing {
  const guesses = countInWindows(WINDOW_MS, MOST_MERCHANTS);
  let held = 0;
  return async (programId, merchantId, { decline_reason: reason }, elapsedMs) => {
    if (mostMistakes === 0 || !GUESSES.includes(reason as DeclineReason)) return;
    const beyond = guesses.add(`${programId} ${merchantId}`, performance.now()) - mostMistakes;
    if (beyond <= 0) return;
    if (beyond === 1) onGuessing(programId, merchantId);
    // Also where the answer is late enough by itself: a server that is busy must not hide who keeps it busy.
    countSlowed(reason as string);
    const restMs = Math.min(LONGEST_MS, beyond * STEP_MS) - elapsedMs;
    if (restMs <= 0 || held >= MOST_HELD) return;
    held++;
    try {
      await pause(restMs);
    } finally {
      held--;
    }
  };
}
