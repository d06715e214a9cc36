import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Limit } from '../http/limits.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { bytesOf, type Secret, wipe } from '../kernel/secret.ts';
import type { Actor } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import { type CardRecord, credentialRef } from './card.ts';
import { findCard } from './queries.ts';
import { REVEAL_FIELDS, type RevealField } from './reveal/reveal-session.ts';

export interface RevealServices {
  db: Database;
  vault: Vault;
  /** Limit of reveals per key or operator. */
  reveals: Limit;
  /** Limit of reveals per program, over all keys and operators: more keys do not allow more reveals. */
  programReveals: Limit;
}

/** Counts a reveal against the limits, or throws a 429. */
export function countReveal(
  { reveals, programReveals }: RevealServices,
  actorId: string,
  programId: string,
): void {
  reveals.take(actorId);
  programReveals.take(programId);
}

export async function revealCredentials(
  services: RevealServices,
  actor: Actor,
  cardId: string,
  reason?: string,
): Promise<Buffer> {
  const { db, vault } = services;
  countReveal(services, actor.id, actor.program.id);
  if (!isId(cardId)) throw notFound();
  return db.transaction(async (tx) => {
    const card = await findCard(tx, actor.program.id, cardId);
    if (!card) throw notFound();
    const audited = reason === undefined ? {} : { reason: maskCardNumbers(reason) };
    return discloseCredentials(vault, tx, actor, card, { audited });
  });
}

interface Disclosure {
  /** For the audit entry. */
  audited: Record<string, unknown>;
  fields?: readonly RevealField[];
  /** Further parts of the answer. */
  more?: Record<string, unknown>;
}

/**
 * The only function that returns a card number to a client: as JSON, in bytes that the route overwrites after it has
 * sent them. The audit entry commits with the transaction, before the answer is sent.
 */
export async function discloseCredentials(
  vault: Vault,
  tx: Tx,
  actor: Actor,
  card: CardRecord,
  { audited, fields = REVEAL_FIELDS, more = {} }: Disclosure,
): Promise<Buffer> {
  const { number, cvv } = await vault.revealCredential(tx, credentialRef(card));
  await audit(tx, actor, 'card.credentials_revealed', {
    cardId: card.id,
    after: { credentialId: card.credentialId, ...audited },
  });
  const [expiryYear, expiryMonth] = card.expiryDate.split('-').map(Number);
  const secrets = (
    [
      ['number', 'cardNumber', number],
      ['cvv', 'cvv', cvv],
    ] as const
  ).filter(([field]) => fields.includes(field));
  const expiry = fields.includes('expiry') && { expiryMonth, expiryYear, expiryDate: card.expiryDate };
  const json = writeJson(secrets, { ...expiry, ...more });
  wipe(number, cvv);
  return json;
}

/** The secrets are digits, which need no escapes. `rest` is never empty. */
function writeJson(
  secrets: ReadonlyArray<readonly [field: RevealField, name: string, value: Secret]>,
  rest: Record<string, unknown>,
): Buffer {
  const pieces = secrets.flatMap(([, name, value]) => [`"${name}":"`, value, '",']);
  const texts = ['{', ...pieces, JSON.stringify(rest).slice(1)];
  return Buffer.concat(
    texts.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : bytesOf(piece))),
  );
}
