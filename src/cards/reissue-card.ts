import type { Database, Tx } from '../db/database.ts';
import type { Remember } from '../http/idempotency.ts';
import { type Day, dayOf } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import type { Actor } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import { type CardRecord, checkExpiryDate, credentialRef } from './card.ts';
import { recordCardChange, withLockedCard } from './change-card.ts';
import { resetWrongCvvs } from './counter-queries.ts';
import { chooseDesign } from './designs/design.ts';
import { findDesign } from './designs/queries.ts';
import { insertCredential, insertShipment, updateCredential } from './queries.ts';
import { checkCustomExpiry, DEFAULT_RENEW_OPTION, decideRenewal, type Renewal } from './renewal.ts';
import type { ReissueBody } from './schema.ts';

/**
 * Replaces the credential if the option requires it. The card id stays the same, and an old credential is inactive from
 * the commit on.
 */
export async function reissueCard(
  { db, vault }: { db: Database; vault: Vault },
  actor: Actor,
  cardId: string,
  body: ReissueBody,
  remember: Remember,
): Promise<{ message: string }> {
  const option = body.renewOption ?? DEFAULT_RENEW_OPTION;
  checkBody(body, option, dayOf(actor.now()));
  return withLockedCard(db, actor, cardId, async (tx, card, current) => {
    const nowMs = current.now();
    // The card's state is checked before the shipping data: a blocked card is always refused as blocked.
    const renewal = decideRenewal(card, option, body.expiryDate, dayOf(nowMs));
    const designId = await checkShipping(tx, card, body);
    const after = await renew(vault, tx, current, card, renewal);
    after.designId = designId ?? card.designId;
    const answer = {
      message: renewal.newCredential ? 'Card is reissued with new credentials' : 'Card is reissued',
    };
    await Promise.all([
      renewal.newCredential && insertCredential(tx, after, new Date(nowMs)),
      renewal.newCredential && resetWrongCvvs(tx, after),
      updateCredential(tx, after),
      designId !== undefined &&
        body.shippingInformation &&
        ship(vault, tx, nowMs, after, body.shippingInformation),
      recordCardChange(tx, current, 'card.reissued', card, after, { renewOption: option }),
      remember(tx, answer),
    ]);
    return answer;
  });
}

function checkBody(body: ReissueBody, option: NonNullable<ReissueBody['renewOption']>, today: Day): void {
  checkCustomExpiry(option, body.expiryDate);
  if (body.expiryDate !== undefined) checkExpiryDate('expiryDate', body.expiryDate, today);
}

/**
 * Returns the design of the physical card to ship; undefined for a virtual card, which is not shipped. A given design
 * is checked in both cases.
 */
async function checkShipping(tx: Tx, card: CardRecord, body: ReissueBody): Promise<string | undefined> {
  const shipping = body.shippingInformation;
  if (!shipping) {
    if (card.cardType === 'physical') throw invalid('shippingInformation', 'is required for a physical card');
    return undefined;
  }
  const design = await findDesign(tx, card.programId, shipping.cardDesign);
  chooseDesign(design, card.cardType, 'shippingInformation.cardDesign', shipping.cardDesign);
  return card.cardType === 'physical' ? shipping.cardDesign : undefined;
}

async function renew(
  vault: Vault,
  tx: Tx,
  actor: Actor,
  card: CardRecord,
  renewal: Renewal,
): Promise<CardRecord> {
  const nowMs = actor.now();
  const { programId, id: cardId } = card;
  if (!renewal.newCredential) return { ...card };
  const { stored, ...number } = renewal.newNumber
    ? await vault.issueNumber(tx, { programId, cardId, bin: actor.program.bin, nowMs })
    : { numberId: card.numberId, lastFour: card.lastFour, stored: undefined };
  await stored;
  const { expiryDate } = renewal;
  const cvv = await vault.planCvv(
    tx,
    { programId, cardId, numberId: number.numberId, expiryDate },
    credentialRef(card),
  );
  return { ...card, ...number, ...cvv, expiryDate, expiryEventDue: expiryDate, credentialId: newId(nowMs) };
}

async function ship(
  vault: Vault,
  tx: Tx,
  nowMs: number,
  card: CardRecord,
  shipping: NonNullable<ReissueBody['shippingInformation']>,
): Promise<void> {
  const { programId, id: cardId, designId } = card;
  const id = newId(nowMs);
  await Promise.all([
    insertShipment(tx, {
      programId,
      id,
      cardId,
      status: 'ORDERED',
      designId,
      createdAt: new Date(nowMs),
    }),
    vault.sealRecord(tx, { programId, ownerId: cardId, kind: 'shipment', id }, shipping),
  ]);
}
