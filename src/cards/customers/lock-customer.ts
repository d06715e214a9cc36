import type { Database, Tx } from '../../db/database.ts';
import { EmbossError } from '../../kernel/error.ts';
import { type Actor, readActor } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import type { LockedCard } from '../card.ts';
import { recordExpiry } from '../change-card.ts';
import { lockCounters } from '../counter-queries.ts';
import { findCards } from '../queries.ts';
import { findCustomer, MOST_CARDS } from './find-customer.ts';

/**
 * Runs `work` on all cards of a customer, newest first, in one transaction. They are locked in the order of their ids, as
 * authorizations lock them. `instead`: what to do with more cards than are changed together.
 */
export async function withLockedCustomer<Result>(
  { db, vault }: { db: Database; vault: Vault },
  actor: Actor,
  customerId: string,
  instead: string,
  work: (tx: Tx, cards: LockedCard[], current: Actor) => Promise<Result>,
): Promise<Result> {
  const { id: programId } = actor.program;
  return db.transaction(async (tx) => {
    const { cards, more } = await findCustomer({ db: tx, vault }, programId, customerId);
    if (more) throw new EmbossError(409, `The customer has more than ${MOST_CARDS} cards; ${instead}`);
    const ids = cards.map(({ id }) => id);
    const counters = await lockCounters(tx, programId, ids, 'wait');
    // Read after the lock: each may have changed while we waited for it.
    const [locked, current] = await Promise.all([
      findCards(tx, programId, ids),
      readActor(tx, actor, programId),
    ]);
    const countersOf = new Map(counters.map((row) => [row.cardId, row]));
    const fresh = locked.map((card) => {
      const { eventSequence, wrongEntries, used } = countersOf.get(card.id) as (typeof counters)[number];
      return recordExpiry(tx, current, { ...card, eventSequence, wrongEntries, used });
    });
    return work(tx, await Promise.all(fresh), current);
  });
}
