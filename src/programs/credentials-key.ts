import type { Tx } from '../db/database.ts';
import { recordEvent } from '../events/journal.ts';
import { EmbossError } from '../kernel/error.ts';
import { type Actor, readActor } from './actor.ts';
import type { ApiKey, Scope } from './program.ts';
import { countKeysWith, lockProgram } from './queries.ts';

/** Limit of keys that can reveal card numbers and that the console creates, per program and hour. */
export const MOST_CREDENTIALS_KEYS = 5;

/** A key with `reveal` can open its own sessions, and so read numbers like a key with `credentials`. */
const NUMBER_SCOPES: readonly Scope[] = ['credentials', 'reveal'];

export const revealsNumbers = ({ scopes }: { scopes: readonly Scope[] }): boolean =>
  scopes.some((scope) => NUMBER_SCOPES.includes(scope));

/** In the console, only an operator who gives the password again can create such a key. */
export const needsPassword = (key: { scopes: readonly Scope[] }): boolean =>
  revealsNumbers(key) || key.scopes.includes('decisions');

/** Counts the rows of keys under the program's lock, so that the limit holds across all processes. */
export async function limitCredentialsKeys(tx: Tx, programId: string): Promise<void> {
  await lockProgram(tx, programId);
  const { count, secondsLeft } = await countKeysWith(tx, programId, NUMBER_SCOPES);
  if (count >= MOST_CREDENTIALS_KEYS)
    throw new EmbossError(
      429,
      `scopes: at most ${MOST_CREDENTIALS_KEYS} keys with "credentials" or "reveal" an hour in a program; retry in ${Math.ceil(secondsLeft / 60)} min`,
      { retryAfterSeconds: secondsLeft },
    );
}

/** Records an event for the merchant if a new key can reveal card numbers. */
export async function announceKey(tx: Tx, actor: Actor, key: ApiKey): Promise<void> {
  if (!revealsNumbers(key)) return;
  const current = await readActor(tx, actor, key.programId);
  recordEvent(tx, {
    programId: key.programId,
    eventType: 'security',
    eventName: 'security.credentials_key_created',
    data: {
      keyId: key.id,
      name: key.name,
      hint: key.hint,
      scopes: key.scopes,
      createdBy: current.name,
      address: current.address,
    },
    nowMs: current.now(),
  });
}
