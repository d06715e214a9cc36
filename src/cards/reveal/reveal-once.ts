import { createHash, timingSafeEqual } from 'node:crypto';
import { audit } from '../../audit/audit.ts';
import type { Identity } from '../../audit/entry.ts';
import type { Tx } from '../../db/database.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { EmbossError } from '../../kernel/error.ts';
import { bytesOf, type Secret } from '../../kernel/secret.ts';
import { type Actor, readActor } from '../../programs/actor.ts';
import { mayStill } from '../../programs/authenticate.ts';
import type { AuditLimitedSession } from '../audit-refused-reveal.ts';
import { type CardRecord, isUsable } from '../card.ts';
import { findCard } from '../queries.ts';
import { countReveal, discloseCredentials, type RevealServices } from '../reveal-credentials.ts';
import { publicIdOf } from './public-id.ts';
import { countWrongVerifier, deleteSession, lockSession } from './queries.ts';
import { MOST_WRONG_VERIFIERS, type RevealSession, type SessionRef } from './reveal-session.ts';
import { isSealOf } from './seal.ts';

export interface PageServices extends RevealServices {
  /** False: sessions of sandbox programs are refused, as their keys are. */
  sandboxPrograms: boolean;
  auditLimitedSession: AuditLimitedSession;
  onError: (error: unknown) => void;
}

const NO_CHALLENGE = Buffer.alloc(32);

/**
 * The values of a session as JSON, once, in bytes that the route overwrites. Undefined for every refusal: an unknown,
 * used or expired session, a wrong verifier, a card that was blocked, expired or reissued since, a key that was revoked
 * since. The audit entry and the end of the session commit before the values leave. A 429 leaves the session open.
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
  const outcome = await db.transaction(async (tx) => {
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
  // Thrown after the commit, which has its audit entry.
  if (outcome instanceof EmbossError) throw outcome;
  return outcome;
}

async function disclose(
  services: PageServices,
  tx: Tx,
  actor: Actor,
  session: RevealSession,
): Promise<Buffer | EmbossError | undefined> {
  const { cardId, createdBy, fields, displaySeconds, theme } = session;
  const revealSessionId = publicIdOf(session);
  const card = await findShowable(services, tx, actor, session);
  const limited = card && limitOf(services, session);
  if (limited) {
    const reason = limited.message;
    await services.auditLimitedSession(tx, actor, { createdBy, cardId, revealSessionId, reason });
    return limited;
  }
  deleteSession(tx, session);
  if (!card) return undefined;
  return discloseCredentials(services.vault, tx, actor, card, {
    audited: { revealSessionId, fields },
    fields,
    more: { displaySeconds, theme },
  });
}

/** The card, if the session may still show it: it has the same credential, and the key that created it can reveal. */
async function findShowable(
  { vault, sandboxPrograms }: PageServices,
  tx: Tx,
  actor: Actor,
  { programId, cardId, credentialId, createdBy }: RevealSession,
): Promise<CardRecord | undefined> {
  if (actor.program.mode === 'sandbox' && !sandboxPrograms) return undefined;
  const [card, mayReveal] = await Promise.all([
    findCard(tx, programId, cardId),
    mayStill(tx, vault.digest, programId, createdBy, 'reveal'),
  ]);
  const isCurrent = card?.credentialId === credentialId && isUsable(card, dayOf(actor.now()));
  return isCurrent && mayReveal ? card : undefined;
}

function limitOf(services: RevealServices, session: RevealSession): EmbossError | undefined {
  try {
    countReveal(services, session.createdBy, session.programId);
    return undefined;
  } catch (error) {
    if (error instanceof EmbossError) return error;
    throw error;
  }
}

async function refuse(tx: Tx, actor: Actor, session: RevealSession): Promise<undefined> {
  const wrong = await countWrongVerifier(tx, session);
  if (wrong >= MOST_WRONG_VERIFIERS) deleteSession(tx, session);
  await audit(tx, actor, 'card.reveal_refused', {
    cardId: session.cardId,
    after: { cause: 'verifier', revealSessionId: publicIdOf(session) },
  });
}
