import type { Counter, Gauge, Histogram } from '../kernel/metric.ts';
import type { Secret } from '../kernel/secret.ts';
import type { SecretOwner } from '../outbound/signing-secret.ts';
import type { Role } from '../programs/access.ts';
import type { Program } from '../programs/program.ts';

/** What is requested of a merchant: a decision on a payment or on an authentication, or to send a one-time password. */
export const DECISION_KINDS = ['authorization', 'authentication', 'otp'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
/** The endpoint that decides authorizations gets balance inquiries too. */
export const REQUEST_KINDS = [...DECISION_KINDS, 'balance'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

export type RequestName = `${RequestKind}.request`;
export const requestName = <Kind extends RequestKind>(kind: Kind): `${Kind}.request` => `${kind}.request`;

/** The endpoint that gets the requests of a kind. */
export const endpointOf = (kind: RequestKind): DecisionKind => (kind === 'balance' ? 'authorization' : kind);

/**
 * What happens without a usable response: decline, decide as in the mode `STANDARD`, or approve within the limits of the
 * stand-in.
 */
export const ON_FAILURE = ['DECLINE', 'STANDARD', 'APPROVE'] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

/** As it is shown: null for the other kinds, which have no such rule. */
export const shownOnFailure = (kind: DecisionKind, onFailure: OnFailure): OnFailure | null =>
  kind === 'authorization' ? onFailure : null;

/** `paused`: by the merchant. `failing`: after failures in a row. */
export const STAND_IN_REASONS = ['paused', 'failing'] as const;
export type StandInReason = (typeof STAND_IN_REASONS)[number];

/** The shortest limit that a merchant can set, and the longest. */
export const MIN_TIMEOUT_MS = 200;
export const MAX_TIMEOUT_MS = 3_000;
export const DEFAULT_TIMEOUT_MS: Record<DecisionKind, number> = {
  authorization: 2_000,
  authentication: 2_000,
  otp: 3_000,
};

export const ENDPOINT_CHANGES = ['created', 'replaced', 'removed', 'secret_rotated'] as const;
export type EndpointChange = (typeof ENDPOINT_CHANGES)[number];

/** The role that an operator needs to change an endpoint: one that authenticates cardholders is worth more than one that declines. */
export const ROLE_TO_CHANGE: Readonly<Record<DecisionKind, Role>> = {
  authorization: 'manager',
  authentication: 'admin',
  otp: 'admin',
};

/** Where the decisions of one kind are requested. */
export interface DecisionEndpoint extends SecretOwner {
  kind: DecisionKind;
  url: string;
  timeoutMs: number;
  onFailure: OnFailure;
  standIn: { transactionLimitMinor: bigint; dailyLimitMinor: bigint } | null;
  paused: boolean;
  /** Since when, in program time, and why no decision is requested. */
  standInSince: Date | null;
  standInReason: StandInReason | null;
  lastFailure: LastFailure | null;
  createdAt: Date;
}

/** The last response of an endpoint that could not be used. */
export interface LastFailure {
  /** Real time. */
  at: string;
  outcome: Unusable;
  statusCode: number | null;
  error: string | null;
  /** Without card numbers. Stored sealed: `seal-answer.ts`. */
  answerStart: string | null;
}

/** A request was sent, and there is no usable response. */
export const UNUSABLE = ['timeout', 'unreachable', 'invalid'] as const;
const FAILURES = [...UNUSABLE, 'paused'] as const;
type Failure = (typeof FAILURES)[number];
type Unusable = (typeof UNUSABLE)[number];

export const isUnusable = (outcome: RequestOutcome): outcome is Unusable =>
  UNUSABLE.some((each) => each === outcome);

/** The outcomes of a request about an authorization. */
export const DECISION_OUTCOMES = ['approved', 'declined', ...FAILURES] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

/** The outcomes of requests of every kind. */
export const REQUEST_OUTCOMES = [...DECISION_OUTCOMES, 'challenged', 'sent'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

const OUTCOMES_OF: Readonly<Record<DecisionKind, readonly RequestOutcome[]>> = {
  authorization: DECISION_OUTCOMES,
  authentication: [...DECISION_OUTCOMES, 'challenged'],
  otp: ['sent', ...FAILURES],
};

export const DECISIONS: Counter<{ kind: DecisionKind; outcome: RequestOutcome }> = {
  type: 'counter',
  name: 'emboss_decisions_total',
  help: 'Requests to decision endpoints, by kind and outcome: approved, declined, challenged, sent, timeout, unreachable, invalid or paused.',
  labels: { kind: DECISION_KINDS, outcome: REQUEST_OUTCOMES },
  exists: ({ kind, outcome }) => OUTCOMES_OF[kind].includes(outcome),
};

export const DECISION_TIMES: Histogram<{ kind: DecisionKind }> = {
  type: 'histogram',
  name: 'emboss_decision_duration_seconds',
  help: 'Time until a merchant answered a decision request, or until its time limit.',
  labels: { kind: DECISION_KINDS },
};

export const STAND_INS: Gauge = {
  type: 'gauge',
  name: 'emboss_decision_stand_ins',
  help: 'Programs whose decision endpoint keeps failing, so that it gets only probes from this process.',
  labels: {},
  aggregator: 'max',
};

export const ENDPOINTS_CHANGED: Counter<{ kind: DecisionKind }> = {
  type: 'counter',
  name: 'emboss_decision_endpoints_changed_total',
  help: 'Changes of decision endpoints over the API and the console, by kind: created, replaced, removed, or the secret rotated.',
  labels: { kind: DECISION_KINDS },
};

interface Answers {
  authorization: 'approved' | 'declined';
  balance: 'approved';
  authentication: 'approved' | 'challenged' | 'declined';
  otp: 'sent';
}

/** What the merchant responded, or why there is no usable response. */
export type DecisionResponse<Kind extends RequestKind = 'authorization'> = ResponseWith<Answers[Kind]>;

interface ResponseWith<Answer> {
  outcome: Answer | Failure;
  /** Null if nothing was sent. */
  durationMs: number | null;
  /** Undefined: the whole amount. */
  approvedMinor: bigint | undefined;
  /** Only of a balance inquiry. */
  availableMinor?: bigint;
  reason: string | null;
  reference: string | null;
  metadata: Record<string, string> | null;
}

interface RequestOf<Kind extends RequestKind> {
  kind: Kind;
  /** The same for every repeat of the request. */
  eventId: string;
  /** Program time. */
  createdAt: Date;
  data: Record<string, unknown>;
}

export interface AuthorizationDecisionRequest extends RequestOf<'authorization'> {
  /** The most that a response may approve, in minor units of the currency. */
  amountMinor: bigint;
  currency: string;
  partialAllowed: boolean;
}

export interface BalanceDecisionRequest extends RequestOf<'balance'> {
  currency: string;
}

/** The code is not in `data`: it must never become part of a string. */
export type OtpDecisionRequest = RequestOf<'otp'> & { otp: Secret };
export type DecisionRequest =
  | AuthorizationDecisionRequest
  | BalanceDecisionRequest
  | RequestOf<'authentication'>
  | OtpDecisionRequest;

export type RequestingProgram = Pick<Program, 'id' | 'mode' | 'bin'>;

/** Never throws. Waits no longer than `leftMs` and the limit of the endpoint. */
export type RequestDecision = <Kind extends RequestKind>(
  program: RequestingProgram,
  endpoint: DecisionEndpoint,
  request: Extract<DecisionRequest, { kind: Kind }>,
  leftMs: number,
) => Promise<DecisionResponse<Kind>>;

export const withoutResponse = <Outcome extends RequestOutcome>(
  outcome: Outcome,
  durationMs: number | null,
) => ({
  outcome,
  durationMs,
  approvedMinor: undefined,
  reason: null,
  reference: null,
  metadata: null,
});
