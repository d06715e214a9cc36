import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { invalid } from '../kernel/error.ts';
import type { Actor } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import type { LockedCard } from './card.ts';
import { changedFields, recordCardUpdate, withLockedCard } from './change-card.ts';
import { type Application, presentDetails } from './retrieve-card.ts';
import type { ContactBody } from './schema.ts';
import { deleteSearchWords, insertSearchWords } from './search-queries.ts';
import { contactDigests } from './search-words.ts';

/** Changes the given parts of the contact. They are cardholder data, so the audit entry has the fields and no values. */
export async function changeContact(
  { db, vault }: { db: Database; vault: Vault },
  actor: Actor,
  cardId: string,
  contact: ContactBody,
): ReturnType<typeof presentDetails> {
  if (Object.keys(contact).length === 0) throw invalid('body', 'must have otpPhoneNumber or email');
  return withLockedCard(db, actor, cardId, async (tx, card, current) => {
    await writeContact(vault, tx, current, card, contact);
    return presentDetails({ db: tx, vault }, current, card);
  });
}

/** Writes the contact of a locked card, its search words and the audit entry. */
export async function writeContact(
  vault: Vault,
  tx: Tx,
  actor: Actor,
  card: LockedCard,
  contact: ContactBody,
): Promise<void> {
  const { programId, id: cardId } = card;
  const given = Object.keys(contact).sort();
  let changed: string[] = [];
  const ref = { programId, ownerId: cardId, kind: 'application' } as const;
  await vault.reviseRecord<Application>(tx, ref, actor.now(), (application) => {
    const meta = { ...application.meta, ...contact };
    changed = changedFields(application.meta, meta).sort();
    deleteSearchWords(tx, programId, cardId, contactDigests(vault, programId, application.meta));
    insertSearchWords(tx, programId, [{ cardId, words: contactDigests(vault, programId, meta) }]);
    return { ...application, meta };
  });
  await Promise.all([
    recordCardUpdate(tx, actor, card, 'contact', changed),
    audit(tx, actor, 'card.contact_changed', { cardId, after: { changed: given } }),
  ]);
}
