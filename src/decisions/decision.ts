import type { SecretOwner } from '../outbound/signing-secret.ts';
import type { Program } from '../programs/program.ts';

export const DECISION_KINDS = ['authorization'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/**
 * What happens without a usable answer: decline, decide as in the mode `STANDARD`, or approve within the limits of the
 * stand-in.
 */
export const ON_FAILURE = ['DECLINE', 'STANDARD', 'APPROVE'] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

/** `paused`: by the merchant. `failing`: after failures in a row. */
export const STAND_IN_REASONS = ['paused', 'failing'] as const;
export type StandInReason = (typeof STAND_IN_REASONS)[number];

/** The shortest limit that a merchant can set, and the longest. */
export const MIN_TIMEOUT_MS = 200;
export const MAX_TIMEOUT_MS = 3_000;

/** Where a merchant is asked for decisions of one kind. */
export interface DecisionEndpoint extends SecretOwner {
  kind: DecisionKind;
  url: string;
  timeoutMs: number;
  onFailure: OnFailure;
  standIn: { transactionLimitMinor: bigint; dailyLimitMinor: bigint } | null;
  paused: boolean;
  /** Since when, in program time, and why the merchant is not asked. */
  standInSince: Date | null;
  standInReason: StandInReason | null;
  createdAt: Date;
}

export const DECISION_OUTCOMES = [
  'approved',
  'declined',
  'timeout',
  'unreachable',
  'invalid',
  'paused',
] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

/** What the merchant answered, or why there is no answer. */
export interface MerchantAnswer {
  outcome: DecisionOutcome;
  /** Null if the merchant was not asked. */
  durationMs: number | null;
  /** Undefined: the whole amount. */
  approvedMinor: bigint | undefined;
  reason: string | null;
  reference: string | null;
  metadata: Record<string, string> | null;
}

export interface Question {
  /** The same for every repeat of the question. */
  eventId: string;
  /** Program time. */
  createdAt: Date;
  eventName: 'authorization.request';
  data: Record<string, unknown>;
  /** The most that an answer may approve, in minor units of the currency. */
  amountMinor: bigint;
  currency: string;
  partialAllowed: boolean;
}

export type AskedProgram = Pick<Program, 'id' | 'mode' | 'bin'>;

/** Never throws. Waits no longer than `leftMs` and the limit of the endpoint. */
export type AskMerchant = (
  program: AskedProgram,
  endpoint: DecisionEndpoint,
  question: Question,
  leftMs: number,
) => Promise<MerchantAnswer>;

export const withoutAnswer = (outcome: DecisionOutcome, durationMs: number | null): MerchantAnswer => ({
  outcome,
  durationMs,
  approvedMinor: undefined,
  reason: null,
  reference: null,
  metadata: null,
});
