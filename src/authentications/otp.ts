import { randomInt } from 'node:crypto';
import type { Queryable } from '../db/database.ts';
import { type Secret, secret, wipe } from '../kernel/secret.ts';
import type { Vault } from '../vault/vault.ts';
import type { Authentication } from './authentication.ts';
import type { AuthenticationServices } from './change-authentication.ts';
import { findSealedOtp } from './queries.ts';

const OTP_DIGITS = 6;

/** Digits as bytes: a code never becomes a string. */
function newOtp(): Secret {
  const bytes = Buffer.alloc(OTP_DIGITS);
  for (let at = 0; at < OTP_DIGITS; at++) bytes[at] = 0x30 + randomInt(10);
  return secret(bytes);
}

/** Runs `work` with a new code, which is overwritten afterwards. */
export async function withNewOtp<Result>(
  vault: Vault,
  work: (otp: Secret) => Promise<Result>,
): Promise<Result> {
  const otp = newOtp();
  try {
    await vault.digest.refresh();
    return await work(otp);
  } finally {
    wipe(otp);
  }
}

/**
 * Without the vault's key the code cannot be found by trying all of them. Another merchant, amount or destination is
 * another digest.
 */
const partsOf = (
  { programId, id, merchant, amountMinor, currency }: Authentication,
  destination: string,
  otp: Secret,
) =>
  ['otp', programId, id, merchant?.id ?? '', String(amountMinor), currency ?? '', destination, otp] as const;

type Code = [authentication: Authentication, destination: string, otp: Secret];

export const digestOtp = (vault: Vault, ...code: Code): Buffer => vault.digest(...partsOf(...code));

/** `destination`: where codes go now. */
export const isOtp = (vault: Vault, ...code: Code): boolean =>
  code[0].otpDigests.some((digest) => vault.digest.matches(digest, ...partsOf(...code)));

const sealBinding = (programId: string, id: string): string[] => [programId, 'otp', id];

/** For the sandbox, until the challenge ends. */
export const sealOtp = (
  { db, vault }: { db: Queryable; vault: Vault },
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
