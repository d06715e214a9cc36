import type { Static } from 'typebox';
import type { Database } from '../../db/database.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { timeOf } from '../../kernel/ids.ts';
import { amountToNumber } from '../../kernel/money.ts';
import type { Actor } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import { type CardHolder, presentCard } from '../card.ts';
import type { Application } from '../retrieve-card.ts';
import { findCustomer } from './find-customer.ts';
import { findCustomerRow, sumCustomerCards } from './queries.ts';
import type { CustomerDetails } from './schema.ts';

/** A customer with the cards, the contact of the newest one, and the totals over all. */
export async function retrieveCustomer(
  { db, vault }: { db: Database; vault: Vault },
  actor: Actor,
  customerId: string,
): Promise<Static<typeof CustomerDetails>> {
  const { id: programId, currency } = actor.program;
  return db.snapshot(async (tx) => {
    const { cardholderIds, cards, more } = await findCustomer({ db: tx, vault }, programId, customerId);
    const ids = cards.map(({ id }) => id);
    const [row, totals, holders, applications] = await Promise.all([
      findCustomerRow(tx, programId, cardholderIds),
      sumCustomerCards(tx, programId, cardholderIds),
      vault.openRecords(tx, programId, 'holder', ids),
      vault.openRecords(tx, programId, 'application', ids.slice(0, 1)),
    ]);
    const nowMs = actor.now();
    const money = (minor: bigint) => amountToNumber(minor, currency);
    const { meta } = applications.get(cards[0].id) as Application;
    return {
      id: customerId,
      created: formatTimestamp(new Date(timeOf(row?.id ?? (ids.at(-1) as string)))),
      currency,
      cards: cards.map((card) => presentCard(card, holders.get(card.id) as CardHolder, nowMs)),
      moreCards: more,
      contact: { otpPhoneNumber: meta.otpPhoneNumber, email: meta.email ?? null },
      totals: {
        held: money(totals.heldMinor),
        cleared: money(totals.clearedMinor),
        refunded: money(totals.refundedMinor),
        availableCredit: money(totals.availableMinor),
      },
    };
  });
}
