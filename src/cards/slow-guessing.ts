import { setTimeout as pause } from 'node:timers/promises';
import type { Counter, Metrics } from '../kernel/metric.ts';
import { countInWindows } from '../kernel/window-counts.ts';

/** The refusals that guessing of numbers, expiry dates, CVVs and one-time passwords causes. */
const GUESSES = ['invalid_card_number', 'expiry_mismatch', 'cvv_mismatch', 'otp_wrong'] as const;

export const SLOWED: Counter<{ outcome: (typeof GUESSES)[number] }> = {
  type: 'counter',
  name: 'emboss_slowed_authorizations_total',
  help: 'Declines delayed because card data is being guessed, at one merchant or on one card, by reason.',
  labels: { outcome: GUESSES },
};

const WINDOW_MS = 600_000;
const MOST_MERCHANTS = 10_000;
/** The delay grows by this much with each further guess, up to the longest delay that a network accepts. */
const STEP_MS = 50;
const LONGEST_MS = 2_000;
/** The response is delayed from the fourth wrong expiry date or CVV on one card within 24 hours. */
const MOST_WRONG_ENTRIES = 3;
const WRONG_ENTRY_MS = 1_000;
/**
 * The most delayed responses in memory. Beyond it, responses are sent immediately; the automatic block still protects
 * the card.
 */
const MOST_HELD = 1_000;

export interface GuessWatch {
  /** How many guesses at one acceptor in ten minutes count as mistakes. 0 turns off the delay by acceptor. */
  mostMistakes: number;
  metrics: Metrics;
  /** Called once per acceptor in ten minutes. */
  onGuessing: (programId: string, acceptorId: string) => void;
}

export interface Refusal {
  reason: string | null;
  /** Wrong expiry dates and CVVs on the card in 24 hours, if this was one. */
  wrongEntries?: number | undefined;
}

/**
 * Waits as long as the response must be delayed; `elapsedMs` is the time that the request has taken so far.
 * `acceptorId` is undefined in the simulator, where the caller acts as the acceptor.
 */
export type SlowGuessing = (
  programId: string,
  acceptorId: string | undefined,
  refusal: Refusal,
  elapsedMs: number,
) => Promise<void>;

/**
 * Delays the responses to guessed card data, at one acceptor or on one card at any acceptors. The responses stay
 * correct. The message is already committed, so only its response waits. Other purchases do not wait.
 */
export function createSlowGuessing({ mostMistakes, metrics, onGuessing }: GuessWatch): SlowGuessing {
  const guesses = countInWindows(WINDOW_MS, MOST_MERCHANTS);
  let held = 0;
  /** The number of guesses at the acceptor beyond `mostMistakes`. */
  const countAt = (programId: string, acceptorId: string): number => {
    const beyond = guesses.add(`${programId} ${acceptorId}`, performance.now()) - mostMistakes;
    if (beyond === 1) onGuessing(programId, acceptorId);
    return Math.max(0, beyond);
  };
  return async (programId, acceptorId, { reason, wrongEntries = 0 }, elapsedMs) => {
    const outcome = GUESSES.find((guess) => guess === reason);
    if (!outcome) return;
    const beyond = mostMistakes > 0 && acceptorId !== undefined ? countAt(programId, acceptorId) : 0;
    const ofCardMs = wrongEntries > MOST_WRONG_ENTRIES ? WRONG_ENTRY_MS : 0;
    if (beyond === 0 && ofCardMs === 0) return;
    // Counted even if the response is late already: load must not hide the guessing that causes it.
    metrics.count(SLOWED, { outcome });
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
