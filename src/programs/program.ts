export type ProgramMode = 'sandbox' | 'live';
export type KycProviderName = 'sandbox' | 'sumsub';
export const KYC_PROVIDER_NAMES: readonly KycProviderName[] = ['sandbox', 'sumsub'];

/** What a program charges and is charged: rates in basis points, amounts in its currency's minor units. */
export interface FeeSchedule {
  /** To the cardholder, on a purchase in another currency. */
  fxFeeBps: number;
  /** To the cardholder, for cash. */
  atmFeeMinor: bigint;
  /** Earned on what clears. */
  interchangeBps: number;
  /** Paid for each clearing: fixed, and on the amount. */
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
  transactionCostMinor: 0n,
  transactionCostBps: 0,
  virtualIssuanceFeeMinor: 0n,
  physicalIssuanceFeeMinor: 0n,
  maintenanceFeeMinor: 0n,
};

export interface Program extends FeeSchedule {
  id: string;
  name: string;
  mode: ProgramMode;
  currency: string;
  bin: string;
  kycProvider: KycProviderName;
  /** Declines what the master account cannot pay for. */
  enforceMasterBalance: boolean;
  /** After so many days a hold that was not cleared is released. */
  holdDays: number;
  clockOffsetMs: number;
  clockMovedAt: Date | null;
  createdAt: Date;
}

/** The BIN of sandbox cards, unless the program has one of its own. */
export const SANDBOX_BIN = '999900';

export const KEY_KINDS = ['merchant', 'network'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** What a merchant key may do. `credentials` shows card numbers. */
export const SCOPES = ['read', 'write', 'credentials'] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  id: string;
  programId: string;
  kind: KeyKind;
  name: string;
  hint: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** The program's time. Links and webhook timestamps use real time instead. */
export const programNow = (program: Program, realNowMs: number): number => realNowMs + program.clockOffsetMs;

export const sinceClockMove = ({ clockMovedAt }: Program, realNowMs: number): number =>
  clockMovedAt ? realNowMs - clockMovedAt.getTime() : Number.POSITIVE_INFINITY;
