import type { LockedCard } from '../cards/card.ts';
import { lockCard } from '../cards/queries.ts';
import type { SlowGuessing } from '../cards/slow-guessing.ts';
import type { Database, Tx } from '../db/database.ts';
import type { RequestDecision } from '../decisions/decision.ts';
import { recordEvent } from '../events/journal.ts';
import type { EventName } from '../events/names.ts';
import { notFound } from '../kernel/error.ts';
import type { Metrics } from '../kernel/metric.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import {
  AUTHENTICATIONS,
  type Authentication,
  type CardAuthentication,
  type Verdict,
} from './authentication.ts';
import { presentToMerchant } from './present.ts';
import { findAuthenticationById } from './queries.ts';
import { updateResult } from './result-queries.ts';

export interface AuthenticationServices {
  db: Database;
  vault: Vault;
  requestDecision: RequestDecision;
  metrics: Metrics;
  /** Waits as long as the response to a wrong number, expiry date or code must be delayed. */
  slowGuessing?: SlowGuessing | undefined;
}

/** Where a guess was made: the shop or the wallet. */
export const guessedAt = ({ merchant, wallet }: Pick<Authentication, 'merchant' | 'wallet'>): string =>
  merchant?.id ?? `wallet:${wallet ?? ''}`;

/** An authentication under the lock of its card, which every writer takes. */
export interface Locked {
  tx: Tx;
  authentication: CardAuthentication;
  card: LockedCard;
  actor: Actor;
  /** Ends this or another authentication of the card, with its one event. */
  end: (verdict: Verdict, which?: CardAuthentication) => CardAuthentication;
}

/** Runs `work` in one transaction on the authentication as it is now. */
export async function changeAuthentication<Result>(
  { db, metrics }: Pick<AuthenticationServices, 'db' | 'metrics'>,
  actor: Actor,
  { programId, id, cardId }: CardAuthentication,
  work: (locked: Locked) => Promise<Result> | Result,
): Promise<Result> {
  let ended: Verdict[] = [];
  const result = await db.transaction(async (tx) => {
    ended = [];
    const [card, current] = await lockFor(tx, actor, lockCard(tx, programId, cardId));
    const authentication = await findAuthenticationById(tx, programId, id);
    if (!authentication) throw notFound();
    const end = (verdict: Verdict, which = authentication as CardAuthentication): CardAuthentication => {
      ended.push(verdict);
      return endAuthentication(tx, current, which, verdict);
    };
    return work({ tx, authentication: authentication as CardAuthentication, card, actor: current, end });
  });
  for (const verdict of ended) metrics.count(AUTHENTICATIONS, outcomeOf(verdict));
  return result;
}

export const outcomeOf = ({ reason }: Verdict) => ({ outcome: reason ?? ('authenticated' as const) });

function endAuthentication(
  tx: Tx,
  actor: Actor,
  before: CardAuthentication,
  { status, transStatus, reason }: Verdict,
): CardAuthentication {
  const after: CardAuthentication = {
    ...before,
    status,
    transStatus,
    reason,
    otpDigests: [],
    completedAt: new Date(actor.now()),
  };
  updateResult(tx, after);
  recordAuthentication(tx, actor, 'authentication.completed', after);
  return after;
}

/**
 * Without a sequence number: those of a card number the events that change it or its money, and a subscriber of these
 * must not miss one.
 */
export const recordAuthentication = (
  tx: Tx,
  actor: Actor,
  eventName: EventName<'authentication'>,
  authentication: Authentication,
): void =>
  recordEvent(tx, {
    programId: authentication.programId,
    eventType: 'authentication',
    eventName,
    data: presentToMerchant(authentication),
    nowMs: actor.now(),
  });
