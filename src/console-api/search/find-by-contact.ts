import { contactWords, parseContact } from '../../cards/contact-words.ts';
import type { Application } from '../../cards/retrieve-card.ts';
import { findCardsByWords } from '../../cards/search-queries.ts';
import { digestWord } from '../../cards/search-words.ts';
import type { QueryServices } from '../services.ts';

/** The newest cards with a phone number, in any format and with or without its dial code, or with an e-mail. */
export async function findByContact(
  { db, vault }: QueryServices,
  programId: string,
  query: string,
  limit: number,
): Promise<{ cardIds: string[]; by: 'phone' | 'email' }> {
  const contact = parseContact(query);
  if (!contact) return { cardIds: [], by: 'phone' };
  const digest = digestWord(vault.search, programId, contact.word);
  const ids = (await findCardsByWords(db, programId, [digest], limit, limit)).map(({ id }) => id);
  const applications = await vault.openRecords(db, programId, 'application', ids);
  // A contact may have changed while a key rotation wrote the index.
  const isTheirs = (id: string) =>
    contactWords((applications.get(id) as Application).meta).includes(contact.word);
  return { cardIds: ids.filter(isTheirs), by: contact.by };
}
