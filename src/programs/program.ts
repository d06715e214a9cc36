export type ProgramMode = 'sandbox' | 'live';
export type KycProviderName = 'sandbox' | 'sumsub';
export const KYC_PROVIDER_NAMES: readonly KycProviderName[] = ['sandbox', 'sumsub'];

/**
 * Who decides an authorization. In `REAL_TIME` the merchant decides and keeps the balances: a card's available credit is
 * neither checked nor moved. In `BOTH` the merchant decides, and our own funds are checked too.
 */
export const AUTHORIZATION_MODES = ['STANDARD', 'REAL_TIME', 'BOTH'] as const;
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

/** The fees and costs of a program: rates in basis points, amounts in minor units of its currency. */
export interface FeeSchedule {
  /** Charged to the cardholder on a purchase in another currency. */
  fxFeeBps: number;
  /** Charged to the cardholder for cash. */
  atmFeeMinor: bigint;
  /** Earned by the program on cleared amounts of purchases. */
  interchangeBps: number;
  /** The same for cash. Negative: the program pays it. */
  cashInterchangeBps: number;
  /** Paid by the program for each clearing: a fixed amount, and a rate on the amount. */
  transactionCostMinor: bigint;
  transactionCostBps: number;
  virtualIssuanceFeeMinor: bigint;
  physicalIssuanceFeeMinor: bigint;
  /** Per month and card. */
  maintenanceFeeMinor: bigint;
}

export const NO_FEES: FeeSchedule = {
  fxFeeBps: 0,
  atmFeeMinor: 0n,
  interchangeBps: 0,
  cashInterchangeBps: 0,
  transactionCostMinor: 0n,
  transactionCostBps: 0,
  virtualIssuanceFeeMinor: 0n,
  physicalIssuanceFeeMinor: 0n,
  maintenanceFeeMinor: 0n,
};

/** Amounts above which 3-D Secure applies. */
export interface Thresholds {
  /** 3-D Secure without a decision endpoint: a challenge above this amount; null: always. */
  challengeAboveMinor: bigint | null;
  /** E-commerce authorizations above this amount must be authenticated; null: none must. */
  requireAuthenticationAboveMinor: bigint | null;
}

/** Why a purchase needs no authentication, as the network says it; `NONE` says that there is no exemption. */
export const EXEMPTIONS = ['LOW_VALUE', 'RISK_ANALYSIS', 'TRUSTED_MERCHANT', 'CORPORATE', 'NONE'] as const;
export type Exemption = (typeof EXEMPTIONS)[number];

/** The exemptions that a program can allow. */
export const ALLOWABLE_EXEMPTIONS: readonly Exemption[] = EXEMPTIONS.filter((each) => each !== 'NONE');

/** How far operators with the role support may raise the limits of a card for a time. */
export interface SupportLimits {
  /** To this multiple of the limit. 1: not at all. */
  supportLimitFactor: number;
  supportLimitDays: number;
}

/** The amount above which money that an operator moves needs a second operator; null: none does. */
export interface SecondPerson {
  secondPersonAboveMinor: bigint | null;
}

export interface Program extends FeeSchedule, Thresholds, SupportLimits, SecondPerson {
  id: string;
  name: string;
  mode: ProgramMode;
  currency: string;
  bin: string;
  kycProvider: KycProviderName;
  /** Declines authorizations that the master account cannot cover. */
  enforceMasterBalance: boolean;
  authorizationMode: AuthorizationMode;
  /** Days after which a hold that was not cleared is released. */
  holdDays: number;
  /** The same for lodging and vehicle rental. */
  longHoldDays: number;
  /** An authentication counts until this number of days after the day of its result. */
  authenticationDays: number;
  /** A clearing above what was approved for it by more than this percentage is flagged `over_hold`. */
  overHoldPercent: number;
  /** Purchases with one of these exemptions need no authentication. */
  allowedExemptions: Exemption[];
  /** Raised with every change of the rules that can alter a decision. 0: the program never had a rule. */
  rulesVersion: bigint;
  /** A rule that would have declined more than this percentage of a week's approvals needs a confirmation. */
  rulesGuardPercent: number;
  /** The balance of the master account below which an event is sent. */
  alertBelowMinor: bigint | null;
  /** The event was sent, and the balance has not risen since. */
  alertSent: boolean;
  clockOffsetMs: number;
  clockMovedAt: Date | null;
  createdAt: Date;
}

/** The lowest and the highest value of each term that is a whole number. */
export const TERM_RANGES = {
  fxFeeBps: [0, 10_000],
  interchangeBps: [0, 10_000],
  cashInterchangeBps: [-10_000, 10_000],
  transactionCostBps: [0, 10_000],
  holdDays: [1, 365],
  longHoldDays: [1, 365],
  authenticationDays: [1, 90],
  overHoldPercent: [0, 1_000],
  rulesGuardPercent: [0, 100],
  supportLimitFactor: [1, 100],
  supportLimitDays: [1, 90],
} as const satisfies { [Term in keyof Program]?: readonly [least: number, most: number] };

/** The default BIN of sandbox programs. */
export const SANDBOX_BIN = '999900';

export const KEY_KINDS = ['merchant', 'network'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/**
 * The permissions of a key. Merchant: `credentials` allows it to reveal card numbers, `reveal` to create sessions that
 * show them to cardholders, `decisions` to set the endpoints that decide and that get one-time passwords, and `rules` to
 * change the rules of authorizations. Network: `authorizations` allows messages and authentications, the others clearing
 * files, disputes and the production of cards.
 */
export const SCOPES = {
  merchant: ['read', 'write', 'credentials', 'reveal', 'decisions', 'rules'],
  network: ['authorizations', 'clearing', 'disputes', 'fulfilment'],
} as const satisfies Record<KeyKind, readonly string[]>;
export type Scope<Kind extends KeyKind = KeyKind> = (typeof SCOPES)[Kind][number];
export const ALL_SCOPES: readonly Scope[] = [...new Set([...SCOPES.merchant, ...SCOPES.network])];

/** The scopes of a key that is created without a list of them. */
export const DEFAULT_SCOPES: Record<KeyKind, readonly Scope[]> = {
  merchant: ['read', 'write'],
  network: SCOPES.network,
};

/** Network keys had no scopes at first; those that were created then have all. */
export const scopesOf = ({ kind, scopes }: Pick<ApiKey, 'kind' | 'scopes'>): readonly Scope[] =>
  kind === 'network' && scopes.length === 0 ? SCOPES.network : scopes;

export interface ApiKey {
  id: string;
  programId: string;
  kind: KeyKind;
  name: string;
  hint: string;
  scopes: readonly Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** Program time. Links and webhook timestamps use real time instead. */
export const programNow = (program: Program, realNowMs: number): number => realNowMs + program.clockOffsetMs;

export const sinceClockMove = ({ clockMovedAt }: Program, realNowMs: number): number =>
  clockMovedAt ? realNowMs - clockMovedAt.getTime() : Number.POSITIVE_INFINITY;
