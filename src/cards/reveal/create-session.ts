import { audit } from '../../audit/audit.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Remember } from '../../http/idempotency.ts';
import { dayOf, formatTimestamp } from '../../kernel/calendar.ts';
import { EmbossError, invalid, notFound } from '../../kernel/error.ts';
import type { Actor } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import { type CardHolder, type CardRecord, requireUsable } from '../card.ts';
import { withLockedCard } from '../change-card.ts';
import { readOrigin } from './origin.ts';
import { newSessionId, publicIdOf } from './public-id.ts';
import { countOpenSessions, insertSession } from './queries.ts';
import { MOST_OPEN, REVEAL_FIELDS, SESSION_MS } from './reveal-session.ts';
import type { CreatedSession, SessionBody } from './schema.ts';
import { sealSession } from './seal.ts';

export interface SessionServices {
  db: Database;
  vault: Vault;
  /** The base of the page's address. */
  revealUrl: string;
}

/** Creates a session for one card. The answer contains no secret: only the client knows the verifier. */
export async function createSession(
  { db, vault, revealUrl }: SessionServices,
  actor: Actor,
  cardId: string,
  body: SessionBody,
  remember: Remember,
): Promise<CreatedSession> {
  const { fields = REVEAL_FIELDS, displaySeconds = 60, theme = null, customerId } = body;
  const origin = readOrigin(body.origin, actor.program.mode);
  // One of them alone could be unreadable on the page's own light or dark colours.
  if ((theme?.background === undefined) !== (theme?.text === undefined))
    throw invalid('theme', 'must have background and text together');
  return withLockedCard(db, actor, cardId, async (tx, card, current) => {
    if (customerId !== undefined) await requireCustomer(vault, tx, card, customerId);
    requireUsable(card, dayOf(current.now()));
    await requireRoom(tx, card);
    const { programId, credentialId } = card;
    const expiresAt = new Date(Math.floor(current.realNow()) + SESSION_MS);
    const challenge = Buffer.from(body.challenge, 'base64url');
    const ref = { programId, id: newSessionId(vault.digest, { programId, origin }), origin };
    const shown = { cardId, credentialId, fields, displaySeconds, theme };
    const session = { ...ref, ...shown, challenge, createdBy: actor.id, expiresAt };
    insertSession(tx, session, sealSession(vault.digest, session));
    const id = publicIdOf(ref);
    const answer = { id, url: `${revealUrl}/reveal/${id}/`, expiresAt: formatTimestamp(expiresAt) };
    await Promise.all([
      audit(tx, current, 'card.reveal_session_created', {
        cardId,
        after: { revealSessionId: id, origin, fields, displaySeconds },
      }),
      remember(tx, answer),
    ]);
    return answer;
  });
}

async function requireCustomer(vault: Vault, tx: Tx, card: CardRecord, customerId: string): Promise<void> {
  const holders = await vault.openRecords(tx, card.programId, 'holder', [card.id]);
  if ((holders.get(card.id) as CardHolder).externalCustomerId !== customerId) throw notFound();
}

async function requireRoom(tx: Tx, card: CardRecord): Promise<void> {
  const { count, secondsLeft } = await countOpenSessions(tx, card);
  if (count >= MOST_OPEN)
    throw new EmbossError(
      429,
      `The card has ${MOST_OPEN} open reveal sessions, the most allowed; retry in ${secondsLeft} s`,
      { retryAfterSeconds: secondsLeft },
    );
}
