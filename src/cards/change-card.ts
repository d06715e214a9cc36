import { isDeepStrictEqual } from 'node:util';
import { audit } from '../audit/audit.ts';
import { localIdentity } from '../audit/entry.ts';
import type { Database, Tx } from '../db/database.ts';
import { recordEvent } from '../events/journal.ts';
import type { EventName } from '../events/names.ts';
import { dayOf } from '../kernel/calendar.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import {
  auditView,
  type CardRecord,
  eventView,
  isExpiryEventDue,
  type LockedCard,
  statusOf,
} from './card.ts';
import { updateEventSequence } from './counter-queries.ts';
import { clearExpiryEvents, lockCard } from './queries.ts';

/** Runs `work` on the locked card in one transaction. Unknown, malformed and foreign ids give the same 404. */
export async function withLockedCard<Result>(
  db: Database,
  actor: Actor,
  cardId: string,
  work: (tx: Tx, card: LockedCard, current: Actor) => Promise<Result>,
): Promise<Result> {
  return db.transaction((tx) => withCardLockedIn(tx, actor, cardId, work));
}

/** The same in a transaction of the caller. */
export async function withCardLockedIn<Result>(
  tx: Tx,
  actor: Actor,
  cardId: string,
  work: (tx: Tx, card: LockedCard, current: Actor) => Promise<Result>,
): Promise<Result> {
  if (!isId(cardId)) throw notFound();
  const [card, current] = await lockFor(tx, actor, lockCard(tx, actor.program.id, cardId));
  return work(tx, await recordExpiry(tx, current, card), current);
}

export const EXPIRY = 'system:card-expiry';

/**
 * Records that a locked card has passed its expiry date, if that is not recorded yet: the next change of the card may come
 * before the job does, and replace the date. A blocked card stays blocked, so it has no event. Returns the card as it is then.
 */
export async function recordExpiry(tx: Tx, actor: Actor, card: LockedCard): Promise<LockedCard> {
  if (!isExpiryEventDue(card, dayOf(actor.now()))) return card;
  const after = { ...card, expiryEventDue: null };
  clearExpiryEvents(tx, card.programId, [card.id]);
  if (card.status === 'BLOCKED') return after;
  await recordCardChange(tx, { ...actor, ...localIdentity(EXPIRY) }, 'card.expired', card, after);
  return { ...after, eventSequence: card.eventSequence + 1 };
}

/** The parts of a card that `card.updated` names. */
export const CARD_PARTS = [
  'spend_controls',
  'contact',
  'balance',
  'forwarding',
  'metadata',
  'usage',
] as const;
type CardPart = (typeof CARD_PARTS)[number];

/** Writes the event of a change that has an audit entry of its own. `fields`: names only, because values may be personal. */
export async function recordCardUpdate(
  tx: Tx,
  actor: Actor,
  card: LockedCard,
  part: CardPart,
  fields: readonly string[],
  after: CardRecord = card,
): Promise<void> {
  if (fields.length > 0)
    await recordCardEvent(tx, actor, 'card.updated', card, after, { changed: [part], fields });
}

/** The names of the fields whose values differ. */
export const changedFields = (before: object, after: object): string[] =>
  Object.keys(after).filter(
    (name) => !isDeepStrictEqual(before[name as keyof object] ?? null, after[name as keyof object] ?? null),
  );

/** Writes the event and the audit entry of a change. */
export async function recordCardChange(
  tx: Tx,
  actor: Actor,
  name: EventName<'card'>,
  before: LockedCard | null,
  after: CardRecord,
  extra: Record<string, unknown> = {},
): Promise<void> {
  await Promise.all([
    recordCardEvent(tx, actor, name, before, after, extra),
    audit(tx, actor, name, {
      cardId: after.id,
      before: before && auditView(before),
      after: { ...auditView(after), ...extra },
    }),
  ]);
}

async function recordCardEvent(
  tx: Tx,
  actor: Actor,
  name: EventName<'card'>,
  before: LockedCard | null,
  after: CardRecord,
  extra: Record<string, unknown>,
): Promise<void> {
  const cardSequence = (before?.eventSequence ?? 0) + 1;
  const nowMs = actor.now();
  recordEvent(tx, {
    programId: after.programId,
    eventType: 'card',
    eventName: name,
    cardId: after.id,
    cardSequence,
    data: { ...eventView(after), status: statusOf(after, dayOf(nowMs)), ...extra },
    nowMs,
  });
  if (before) await updateEventSequence(tx, after, cardSequence);
}
