import { createHash, timingSafeEqual } from 'node:crypto';
import { audit } from '../../audit/audit.ts';
import type { Identity } from '../../audit/entry.ts';
import type { Tx } from '../../db/database.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { bytesOf, type Secret } from '../../kernel/secret.ts';
import { type Actor, readActor } from '../../programs/actor.ts';
import { isUsable } from '../card.ts';
import { findCard } from '../queries.ts';
import { countReveal, discloseCredentials, type RevealServices } from '../reveal-credentials.ts';
import { countWrongVerifier, deleteSession, lockSession } from './queries.ts';
import { MOST_WRONG_VERIFIERS, type RevealSession, type SessionRef } from './reveal-session.ts';
import { isSealOf } from './seal.ts';

export interface PageServices extends RevealServices {
  onError: (error: unknown) => void;
}

const NO_CHALLENGE = Buffer.alloc(32);

/**
 * The values of a session as JSON, once, in bytes that the route overwrites. Undefined for every refusal: an unknown,
 * used or expired session, a wrong verifier, a card that was blocked, expired or reissued since. The audit entry and the
 * end of the session commit before the values leave.
 */
export async function revealOnce(
  services: PageServices,
  ref: SessionRef,
  verifier: Secret,
  by: Identity,
): Promise<Buffer | undefined> {
  const { db, vault, onError } = services;
  const given = createHash('sha256').update(bytesOf(verifier)).digest();
  await vault.digest.refresh();
  return db.transaction(async (tx) => {
    const found = await lockSession(tx, ref);
    const isRight = timingSafeEqual(given, found?.session.challenge ?? NO_CHALLENGE);
    if (!found) return undefined;
    const { session, seal } = found;
    if (!isSealOf(vault.digest, seal, session)) {
      onError(new Error(`the row of reveal session ${session.id} was altered`));
      return undefined;
    }
    const actor = await readActor(tx, by, session.programId);
    return isRight ? disclose(services, tx, actor, session) : refuse(tx, actor, session);
  });
}

async function disclose(
  services: RevealServices,
  tx: Tx,
  actor: Actor,
  session: RevealSession,
): Promise<Buffer | undefined> {
  const { programId, cardId, credentialId, createdBy, id, fields, displaySeconds, theme } = session;
  const card = await findCard(tx, programId, cardId);
  const isCurrent = card?.credentialId === credentialId && isUsable(card, dayOf(actor.now()));
  deleteSession(tx, session);
  if (!isCurrent) return undefined;
  countReveal(services, createdBy, programId);
  return discloseCredentials(services.vault, tx, actor, card, {
    audited: { revealSessionId: id, fields },
    fields,
    more: { displaySeconds, theme },
  });
}

async function refuse(tx: Tx, actor: Actor, session: RevealSession): Promise<undefined> {
  const wrong = await countWrongVerifier(tx, session);
  if (wrong >= MOST_WRONG_VERIFIERS) deleteSession(tx, session);
  await audit(tx, actor, 'card.reveal_refused', {
    cardId: session.cardId,
    after: { cause: 'verifier', revealSessionId: session.id },
  });
}
