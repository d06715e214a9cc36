import type { Identity } from '../audit/entry.ts';
import type { Tx } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { newId } from '../kernel/ids.ts';
import type { Secret } from '../kernel/secret.ts';
import { auditSignIn } from './audit.ts';
import { deviceName } from './device-name.ts';
import type { Operator } from './operator.ts';
import { insertSession } from './queries.ts';
import { hashToken, newDevice, newToken } from './seals.ts';

const SESSION_LIFE_MS = 12 * 3_600_000;

export interface OpenedSession {
  operator: Operator;
  token: Secret;
  tokenHash: Buffer;
  /** Identifies the browser at the next sign-in. */
  device: string;
  expiresAt: Date;
}

/** Opens a session for an operator who has just been authenticated. `device`: the known one of this browser. */
export async function openSession<Person extends Operator>(
  tx: Tx,
  digest: Digest,
  by: Identity,
  operator: Person,
  {
    device = newDevice(digest, operator.email),
    userAgent,
    ...facts
  }: { device?: string | undefined; userAgent?: string | undefined; [fact: string]: unknown } = {},
): Promise<OpenedSession> {
  const token = newToken(operator.id);
  const tokenHash = hashToken(digest, token);
  await auditSignIn(tx, by, 'operator.signed_in', operator, facts);
  const session = { id: newId(Date.now()), tokenHash, operatorId: operator.id };
  const place = { device: deviceName(userAgent), address: by.address };
  const expiresAt = await insertSession(tx, { ...session, ...place }, SESSION_LIFE_MS);
  return { operator, token, tokenHash, device, expiresAt };
}
