import type { Static } from 'typebox';
import type { Database, Queryable } from '../db/database.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { amountToNumber } from '../kernel/money.ts';
import { findBalance } from '../ledger/queries.ts';
import type { Actor } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import { type CardHolder, type CardRecord, presentCard } from './card.ts';
import { findSpending } from './counter-queries.ts';
import { findCard, findNewestShipment, findReplacement } from './queries.ts';
import type { Meta } from './schema.ts';
import { presentControls } from './spend-controls.ts';
import { presentUsage } from './usage.ts';

/** The part of the vault record `application` that is read again: what the card was created with. */
export interface Application {
  meta: Static<typeof Meta>;
}

export async function retrieveCard(
  { db, vault }: { db: Database; vault: Vault },
  actor: Actor,
  cardId: string,
): ReturnType<typeof presentDetails> {
  const card = isId(cardId) ? await findCard(db, actor.program.id, cardId) : undefined;
  if (!card) throw notFound();
  return presentDetails({ db, vault }, actor, card);
}

/** The `CardDetails` of the API. */
export async function presentDetails(
  { db, vault }: { db: Queryable; vault: Vault },
  actor: Actor,
  card: CardRecord,
) {
  const { programId, id: cardId } = card;
  const [holders, applications, shipment, availableMinor, replacedBy, counters] = await Promise.all([
    vault.openRecords(db, programId, 'holder', [cardId]),
    vault.openRecords(db, programId, 'application', [cardId]),
    findNewestShipment(db, programId, cardId),
    findBalance(db, programId, cardId),
    card.status === 'BLOCKED' ? findReplacement(db, programId, cardId) : null,
    card.usage && findSpending(db, programId, cardId),
  ]);
  const { meta } = applications.get(cardId) as Application;
  return {
    ...presentCard(card, holders.get(cardId) as CardHolder, actor.now()),
    statusReason: card.statusReason,
    availableCredit: amountToNumber(availableMinor, card.currency),
    spendLimit: amountToNumber(card.spendLimitMinor, card.currency),
    expiryDate: card.expiryDate,
    spendControls: presentControls(card, actor.now()),
    usage: presentUsage(card.usage, counters?.used ?? null),
    replaces: card.replacesCardId,
    replacedBy,
    shipment: shipment
      ? {
          status: shipment.status,
          cardDesign: shipment.designId,
          created: formatTimestamp(shipment.createdAt),
        }
      : null,
    meta: { ...meta, email: meta.email ?? null },
    metadata: card.metadata ?? {},
  };
}
