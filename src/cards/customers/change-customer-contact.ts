import type { Database } from '../../db/database.ts';
import { invalid } from '../../kernel/error.ts';
import type { Actor } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import { writeContact } from '../change-contact.ts';
import type { ContactBody } from '../schema.ts';
import { withLockedCustomer } from './lock-customer.ts';

/** Changes the given parts of the contact on all cards of a customer, in one transaction. Each card is audited. */
export async function changeCustomerContact(
  services: { db: Database; vault: Vault },
  actor: Actor,
  customerId: string,
  contact: ContactBody,
): Promise<{ cards: number }> {
  if (Object.keys(contact).length === 0) throw invalid('body', 'must have otpPhoneNumber or email');
  const instead = 'change the contact of each card';
  return withLockedCustomer(services, actor, customerId, instead, async (tx, cards, current) => {
    for (const card of cards) await writeContact(services.vault, tx, current, card, contact);
    return { cards: cards.length };
  });
}
