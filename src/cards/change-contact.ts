import { audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import { invalid } from '../kernel/error.ts';
import type { Actor } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import { withLockedCard } from './change-card.ts';
import { type Application, presentDetails } from './retrieve-card.ts';
import type { ContactBody } from './schema.ts';

/** Changes the given parts of the contact. They are cardholder data, so the audit entry has the fields and no values. */
export async function changeContact(
  { db, vault }: { db: Database; vault: Vault },
  asked: Actor,
  cardId: string,
  contact: ContactBody,
): ReturnType<typeof presentDetails> {
  const changed = Object.keys(contact).sort();
  if (changed.length === 0) throw invalid('body', 'must have otpPhoneNumber or email');
  return withLockedCard(db, asked, cardId, async (tx, card, actor) => {
    const ref = { programId: card.programId, ownerId: cardId, kind: 'application' } as const;
    await vault.reviseRecord<Application>(tx, ref, actor.now(), (application) => ({
      ...application,
      meta: { ...application.meta, ...contact },
    }));
    await audit(tx, actor, 'card.contact_changed', { cardId, after: { changed } });
    return presentDetails({ db: tx, vault }, actor, card);
  });
}
