import { audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import type { Limit } from '../http/limits.ts';
import type { Day } from '../kernel/calendar.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { bytesOf, type Secret, wipe } from '../kernel/secret.ts';
import type { Actor } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import { credentialRef } from './card.ts';
import { findCard } from './queries.ts';

export interface RevealServices {
  db: Database;
  vault: Vault;
  /** Limit of reveals per key or operator. */
  reveals: Limit;
  /** Limit of reveals per program, over all keys and operators: more keys do not allow more reveals. */
  programReveals: Limit;
}

/**
 * The only function that returns a card number to a client: as JSON, in bytes that the route overwrites after it has
 * sent them. The audit entry commits before the answer is sent.
 */
export async function revealCredentials(
  { db, vault, reveals, programReveals }: RevealServices,
  actor: Actor,
  cardId: string,
  reason?: string,
): Promise<Buffer> {
  reveals.take(actor.id);
  programReveals.take(actor.program.id);
  if (!isId(cardId)) throw notFound();
  return db.transaction(async (tx) => {
    const card = await findCard(tx, actor.program.id, cardId);
    if (!card) throw notFound();
    const { number, cvv } = await vault.revealCredential(tx, credentialRef(card));
    await audit(tx, actor, 'card.credentials_revealed', {
      cardId,
      after: {
        credentialId: card.credentialId,
        ...(reason !== undefined && { reason: maskCardNumbers(reason) }),
      },
    });
    return writeCredentials(number, cvv, card.expiryDate);
  });
}

function writeCredentials(number: Secret, cvv: Secret, expiryDate: Day): Buffer {
  const [expiryYear, expiryMonth] = expiryDate.split('-').map(Number);
  const rest = JSON.stringify({ expiryMonth, expiryYear, expiryDate }).slice(1);
  const pieces = ['{"cardNumber":"', number, '","cvv":"', cvv, `",${rest}`];
  const json = Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : bytesOf(piece))),
  );
  wipe(number, cvv);
  return json;
}
