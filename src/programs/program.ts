export type ProgramMode = 'sandbox' | 'live';
export type KycProviderName = 'sandbox' | 'sumsub';
export const KYC_PROVIDER_NAMES: readonly KycProviderName[] = ['sandbox', 'sumsub'];

export interface Program {
  id: string;
  name: string;
  mode: ProgramMode;
  currency: string;
  bin: string;
  kycProvider: KycProviderName;
  clockOffsetMs: number;
  clockMovedAt: Date | null;
  createdAt: Date;
}

/**
 * The BIN of sandbox cards. Numbers that begin with 9 are left to national bodies and belong to no card
 * network, so that a sandbox number can never be a real one.
 */
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

/** Who is asking: a valid key and its program, read afresh for this request. */
export interface Caller {
  keyId: string;
  scopes: Scope[];
  program: Program;
  /**
   * The present time by the database's clock, in milliseconds. Lists rely on ids being stamped by one clock, and the
   * clocks of two machines differ.
   */
  realNow(): number;
}

export const callerNow = (caller: Caller): number => programNow(caller.program, caller.realNow());

/** The program's time. Links and webhook timestamps use real time instead. */
export const programNow = (program: Program, realNowMs: number): number => realNowMs + program.clockOffsetMs;
