import type { Database } from '../../db/database.ts';
import { EmbossError, invalid } from '../../kernel/error.ts';
import { type Actor, readActor } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import { recordExpiry } from '../change-card.ts';
import { writeContact } from '../change-contact.ts';
import { lockCounters } from '../counter-queries.ts';
import { lockCard } from '../queries.ts';
import type { ContactBody } from '../schema.ts';
import { findCustomer, MOST_CARDS } from './find-customer.ts';

/** Changes the given parts of the contact on all cards of a customer, in one transaction. Each card is audited. */
export async function changeCustomerContact(
  { db, vault }: { db: Database; vault: Vault },
  actor: Actor,
  customerId: string,
  contact: ContactBody,
): Promise<{ cards: number }> {
  if (Object.keys(contact).length === 0) throw invalid('body', 'must have otpPhoneNumber or email');
  const { id: programId } = actor.program;
  return db.transaction(async (tx) => {
    const { cards, more } = await findCustomer({ db: tx, vault }, programId, customerId);
    if (more)
      throw new EmbossError(
        409,
        `The customer has more than ${MOST_CARDS} cards; change the contact of each card`,
      );
    const ids = cards.map(({ id }) => id).sort();
    await lockCounters(tx, programId, ids, 'wait');
    const current = await readActor(tx, actor, programId);
    for (const id of ids) {
      const card = await lockCard(tx, programId, id);
      if (card) await writeContact(vault, tx, current, await recordExpiry(tx, current, card), contact);
    }
    return { cards: ids.length };
  });
}
