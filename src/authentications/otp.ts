import { randomInt } from 'node:crypto';
import { type Secret, secret } from '../kernel/secret.ts';
import type { Vault } from '../vault/vault.ts';
import type { Authentication } from './authentication.ts';
import type { AuthenticationServices } from './change-authentication.ts';
import { findSealedOtp } from './queries.ts';

const OTP_DIGITS = 6;

/** Digits as bytes: a code never becomes a string. */
export function newOtp(): Secret {
  const bytes = Buffer.alloc(OTP_DIGITS);
  for (let at = 0; at < OTP_DIGITS; at++) bytes[at] = 0x30 + randomInt(10);
  return secret(bytes);
}

/** Without the vault's key nobody can find the code by trying all of them. Another merchant or amount is another digest. */
const partsOf = ({ programId, id, merchant, amountMinor, currency }: Authentication, otp: Secret) =>
  ['otp', programId, id, merchant?.id ?? '', String(amountMinor), currency ?? '', otp] as const;

export const digestOtp = (vault: Vault, authentication: Authentication, otp: Secret): Buffer =>
  vault.digest(...partsOf(authentication, otp));

export const isOtp = (vault: Vault, authentication: Authentication, otp: Secret): boolean =>
  authentication.otpDigest !== null &&
  vault.digest.matches(authentication.otpDigest, ...partsOf(authentication, otp));

const sealBinding = (programId: string, id: string): string[] => [programId, 'otp', id];

/** For the sandbox, until the challenge ends. */
export const sealOtp = (
  { db, vault }: Pick<AuthenticationServices, 'db' | 'vault'>,
  { programId, id }: Authentication,
  otp: Secret,
): Promise<Buffer> => vault.sealText(db, sealBinding(programId, id), otp);

/** The code of an open challenge in a sandbox program; null in a live one, and if there is none. */
export async function readSandboxOtp(
  { db, vault }: Pick<AuthenticationServices, 'db' | 'vault'>,
  programId: string,
  id: string,
): Promise<string | null> {
  const sealed = await findSealedOtp(db, programId, id);
  return sealed && vault.openText(db, sealBinding(programId, id), sealed);
}
