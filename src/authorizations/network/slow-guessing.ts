import { setTimeout as pause } from 'node:timers/promises';
import { countInWindows } from '../../kernel/window-counts.ts';
import type { DeclineReason } from '../rules/decline.ts';
import { type AuthorizationAnswer, WRONG_ENTRIES } from '../rules/message.ts';

/** What somebody is told who tries out numbers, expiry dates and CVVs. */
export const GUESSES: readonly DeclineReason[] = ['invalid_card_number', 'expiry_mismatch', 'cvv_mismatch'];

const WINDOW_MS = 600_000;
const MOST_MERCHANTS = 10_000;
/** Each further answer waits this much longer, up to what a network accepts. */
const STEP_MS = 50;
const LONGEST_MS = 2_000;
/** The answer to the fourth wrong expiry date or CVV on one card within 24 hours, and to those after it, leaves later. */
const MOST_WRONG_ENTRIES = 3;
const WRONG_ENTRY_MS = 1_000;
/** Answers are held back in memory: beyond so many they leave at once. A card is protected by its block. */
const MOST_HELD = 1_000;

export interface GuessWatch {
  /** How many at one merchant in ten minutes are mistakes; 0: all. */
  mostMistakes: number;
  countSlowed: (reason: string) => void;
  /** Called once for each merchant and ten minutes. */
  onGuessing: (programId: string, merchantId: string) => void;
}

/**
 * Waits as long as the answer is to be held back; `elapsedMs` is how long its request has taken already. The simulator,
 * where the caller plays the merchant, has no merchant to watch.
 */
export type SlowGuessing = (
  programId: string,
  merchantId: string | undefined,
  answer: AuthorizationAnswer,
  elapsedMs: number,
) => Promise<void>;

/**
 * Card data guessed at one merchant, or on one card at any merchants, is answered correctly, but slowly. The message is
 * decided and committed by then, so that nothing but the answer waits, and good purchases do not wait at all.
 */
export function createSlowGuessing({ mostMistakes, countSlowed, onGuessing }: GuessWatch): SlowGuessing {
  const guesses = countInWindows(WINDOW_MS, MOST_MERCHANTS);
  let held = 0;
  /** How many more than mistakes there were at the merchant. */
  const countAt = (programId: string, merchantId: string): number => {
    const beyond = guesses.add(`${programId} ${merchantId}`, performance.now()) - mostMistakes;
    if (beyond === 1) onGuessing(programId, merchantId);
    return Math.max(0, beyond);
  };
  return async (programId, merchantId, answer, elapsedMs) => {
    const { decline_reason: reason, [WRONG_ENTRIES]: wrongEntries = 0 } = answer;
    if (!GUESSES.includes(reason as DeclineReason)) return;
    const beyond = mostMistakes > 0 && merchantId !== undefined ? countAt(programId, merchantId) : 0;
    const ofCardMs = wrongEntries > MOST_WRONG_ENTRIES ? WRONG_ENTRY_MS : 0;
    if (beyond === 0 && ofCardMs === 0) return;
    // Also where the answer is late enough by itself: a server that is busy must not hide who keeps it busy.
    countSlowed(reason as string);
    const restMs = Math.max(ofCardMs, Math.min(LONGEST_MS, beyond * STEP_MS) - elapsedMs);
    if (restMs <= 0 || held >= MOST_HELD) return;
    held++;
    try {
      await pause(restMs);
    } finally {
      held--;
    }
  };
}
