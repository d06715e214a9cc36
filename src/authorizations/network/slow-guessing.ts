import { setTimeout as pause } from 'node:timers/promises';
import { countInWindows } from '../../kernel/window-counts.ts';
import type { DeclineReason } from '../rules/decline.ts';
import { type AuthorizationResponse, WRONG_ENTRIES } from '../rules/message.ts';

/** The declines that guessing of numbers, expiry dates and CVVs causes. */
export const GUESSES: readonly DeclineReason[] = ['invalid_card_number', 'expiry_mismatch', 'cvv_mismatch'];

const WINDOW_MS = 600_000;
const MOST_MERCHANTS = 10_000;
/** Each further response is delayed by this much more, up to what a network accepts. */
const STEP_MS = 50;
const LONGEST_MS = 2_000;
/** From the fourth wrong expiry date or CVV on one card within 24 hours on, the response is delayed. */
const MOST_WRONG_ENTRIES = 3;
const WRONG_ENTRY_MS = 1_000;
/** Delayed responses are in memory: beyond this many, further ones are sent immediately. The block protects the card. */
const MOST_HELD = 1_000;

export interface GuessWatch {
  /** How many at one merchant in ten minutes count as mistakes; 0: all. */
  mostMistakes: number;
  countSlowed: (reason: string) => void;
  /** Called once for each merchant and ten minutes. */
  onGuessing: (programId: string, merchantId: string) => void;
}

/**
 * Waits for as long as the response must be delayed; `elapsedMs` is how long its request has taken already. In the
 * simulator the caller plays the merchant, so there is no merchant to watch.
 */
export type SlowGuessing = (
  programId: string,
  merchantId: string | undefined,
  response: AuthorizationResponse,
  elapsedMs: number,
) => Promise<void>;

/**
 * Responses to guessed card data, at one merchant or on one card at any merchants, are correct but slow. The message is
 * committed by then, so that nothing but its response waits. Other purchases do not wait.
 */
export function createSlowGuessing({ mostMistakes, countSlowed, onGuessing }: GuessWatch): SlowGuessing {
  const guesses = countInWindows(WINDOW_MS, MOST_MERCHANTS);
  let held = 0;
  /** How many beyond mistakes there were at the merchant. */
  const countAt = (programId: string, merchantId: string): number => {
    const beyond = guesses.add(`${programId} ${merchantId}`, performance.now()) - mostMistakes;
    if (beyond === 1) onGuessing(programId, merchantId);
    return Math.max(0, beyond);
  };
  return async (programId, merchantId, response, elapsedMs) => {
    const { decline_reason: reason, [WRONG_ENTRIES]: wrongEntries = 0 } = response;
    if (!GUESSES.includes(reason as DeclineReason)) return;
    const beyond = mostMistakes > 0 && merchantId !== undefined ? countAt(programId, merchantId) : 0;
    const ofCardMs = wrongEntries > MOST_WRONG_ENTRIES ? WRONG_ENTRY_MS : 0;
    if (beyond === 0 && ofCardMs === 0) return;
    // Also where the response is late by itself: load must not hide the guessing that causes it.
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
