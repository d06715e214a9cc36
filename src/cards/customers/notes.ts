import { audit } from '../../audit/audit.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { refuseCardNumber } from '../../kernel/card-numbers.ts';
import { EmbossError, notFound } from '../../kernel/error.ts';
import { HIGHEST_ID, isId, newId } from '../../kernel/ids.ts';
import { type Actor, readActor } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import { findCustomer } from './find-customer.ts';
import { insertNote, listNotes, lockNote, type NoteRow, updateNoteRemoved } from './queries.ts';

const MOST_NOTES = 100;

interface Services {
  db: Database;
  vault: Vault;
}

/** The vault record of a note: it may contain personal data. */
interface NoteText {
  text: string;
  author: string;
}

export interface Author {
  id: string;
  name: string;
  /** May remove the notes of others. */
  isAdmin: boolean;
}

/** The newest notes about a customer, below an id. */
export async function readNotes(
  { db, vault }: { db: Queryable; vault: Vault },
  programId: string,
  cardholderIds: readonly string[],
  belowId = HIGHEST_ID,
  limit = MOST_NOTES,
) {
  const rows = await listNotes(db, programId, cardholderIds, belowId, limit);
  const ids = rows.map(({ id }) => id);
  const texts = await vault.openRecords(db, programId, 'note', ids);
  return rows.map((row) => presentNote(row, texts.get(row.id) as NoteText));
}

const presentNote = ({ id, operatorId, createdAt }: NoteRow, { text, author }: NoteText) => ({
  id,
  text,
  author,
  authorId: operatorId,
  created: formatTimestamp(createdAt),
});

/** The audit entries of notes belong to the customer's newest card, whose history shows them. */
export async function addNote(
  { db, vault }: Services,
  actor: Actor,
  author: Author,
  customerId: string,
  text: string,
): Promise<ReturnType<typeof presentNote>> {
  refuseCardNumber('text', text);
  const { id: programId } = actor.program;
  return db.transaction(async (tx) => {
    const [{ cards }, current] = await Promise.all([
      findCustomer({ db: tx, vault }, programId, customerId),
      readActor(tx, actor, programId),
    ]);
    const nowMs = current.now();
    const [{ id: cardId, cardholderId }] = cards;
    const note = { id: newId(nowMs), operatorId: author.id, createdAt: new Date(nowMs) };
    const content: NoteText = { text, author: author.name };
    await Promise.all([
      insertNote(tx, programId, { ...note, cardholderId }),
      vault.sealRecord(tx, { programId, ownerId: note.id, kind: 'note', id: note.id }, content),
      audit(tx, current, 'customer.note_added', { cardId, after: { noteId: note.id } }),
    ]);
    return presentNote(note, content);
  });
}

/** The author and administrators can remove a note. The list does not show it any more; its sealed text stays. */
export async function removeNote(
  { db, vault }: Services,
  actor: Actor,
  author: Author,
  customerId: string,
  noteId: string,
): Promise<void> {
  const { id: programId } = actor.program;
  if (!isId(noteId)) throw notFound();
  await db.transaction(async (tx) => {
    const { cards, cardholderIds } = await findCustomer({ db: tx, vault }, programId, customerId);
    const note = await lockNote(tx, programId, noteId, cardholderIds);
    if (!note) throw notFound();
    if (note.operatorId !== author.id && !author.isAdmin)
      throw new EmbossError(403, 'Only its author or an administrator can remove a note');
    const current = await readActor(tx, actor, programId);
    await Promise.all([
      updateNoteRemoved(tx, programId, noteId, new Date(current.now())),
      audit(tx, current, 'customer.note_removed', { cardId: cards[0].id, after: { noteId } }),
    ]);
  });
}
