import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../db/database.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { reveal } from '../kernel/secret.ts';
import type { Vault } from '../vault/vault.ts';
import { type Act, credentialRef } from './card.ts';
import { findCard } from './queries.ts';

/** The one place that lets a number out. The audit entry commits before the answer leaves. */
export async function revealCredentials(
  { db, vault }: { db: Database; vault: Vault },
  act: Act,
  cardId: string,
  reason?: string,
) {
  if (!isId(cardId)) throw notFound();
  return db.transaction(async (tx) => {
    const card = await findCard(tx, act.caller.program.id, cardId);
    if (!card) throw notFound();
    const { number, cvv } = await vault.revealCredential(tx, credentialRef(card));
    await recordAudit(tx, {
      programId: card.programId,
      actor: act.actor,
      action: 'card.credentials_revealed',
      cardId: card.id,
      before: null,
      after: {
        credentialId: card.credentialId,
        ...(reason !== undefined && { reason: maskCardNumbers(reason) }),
      },
      requestId: act.requestId,
      nowMs: act.nowMs,
    });
    const [year, month] = card.expiryDate.split('-').map(Number) as [number, number, number];
    return {
      cardNumber: reveal(number),
      cvv: reveal(cvv),
      expiryMonth: month,
      expiryYear: year,
      expiryDate: card.expiryDate,
    };
  });
}
