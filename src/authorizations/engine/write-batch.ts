import { audit } from '../../audit/audit.ts';
import { localIdentity } from '../../audit/entry.ts';
import { auditView } from '../../cards/card.ts';
import { updateCounters } from '../../cards/counter-queries.ts';
import { updateBlocked } from '../../cards/queries.ts';
import type { Tx } from '../../db/database.ts';
import { changedMeanwhile } from '../../db/failures.ts';
import { recordEvents } from '../../events/journal.ts';
import { postTransfers } from '../../ledger/post-transfers.ts';
import { updateAlertSent } from '../../programs/queries.ts';
import { addEvaluations, insertMatches } from '../../rules/match-queries.ts';
import type { TransactionRecord } from '../core/transaction.ts';
import { type EventIds, insertTransactions, updateTransactions } from '../transactions/queries.ts';
import type { BatchState } from './batch-state.ts';
import { insertPresentments, updatePresentments } from './presentment-queries.ts';
import { fillMessage, insertMessages, type MessageRecord } from './queries.ts';
import { writeVelocities } from './velocities.ts';

/**
 * Writes the changes of a batch, each table in one statement. Almost all statements are sent together with the commit.
 */
export async function writeBatch(tx: Tx, state: BatchState): Promise<void> {
  const { changed, setting, messages, transactions, presentments, cards } = state;
  const { program, nowMs } = setting;
  const pick = <Row>(rows: Map<string, Row>, keys: Iterable<string>) =>
    [...keys].map((key) => rows.get(key) as Row);
  // Sorted, like the cards: two servers that write the same ids must not deadlock.
  const newMessages: MessageRecord[] = pick(messages, [...changed.newMessages].sort());
  if (newMessages.length > 0) insertMessages(tx, program.id, newMessages, new Date(nowMs));
  const older = [...changed.transactions].filter((id) => !changed.newTransactions.has(id));
  const newRows: TransactionRecord[] = pick(transactions, changed.newTransactions);
  const eventIds = eventIdsOf(changed.events);
  if (newRows.length > 0) insertTransactions(tx, program.id, newRows, eventIds);
  if (older.length > 0) updateTransactions(tx, program.id, pick(transactions, older), eventIds);
  if (changed.newPresentments.size > 0)
    insertPresentments(tx, program.id, pick(presentments, changed.newPresentments));
  if (changed.cards.size > 0) updateCounters(tx, program.id, pick(cards, changed.cards));
  if (changed.events.length > 0) recordEvents(tx, program.id, changed.events, nowMs);
  if (setting.rules) writeEvaluated(tx, state, setting.rules.version);
  if (setting.velocities) writeVelocities(tx, program.id, setting.velocities);
  for (const [key, before] of changed.filledMessages)
    if (!(await fillMessage(tx, program.id, before, messages.get(key) as MessageRecord)))
      throw changedMeanwhile(`message ${key}`);
  const takenBack = [...changed.presentments].map(([key, before]) => ({
    before,
    after: presentments.get(key) as typeof before,
  }));
  if (takenBack.length > 0 && !(await updatePresentments(tx, program.id, takenBack)))
    throw changedMeanwhile('a clearing or refund');
  if (state.alertSent !== program.alertSent) updateAlertSent(tx, program.id, state.alertSent);
  await blockCards(tx, state);
  postTransfers(tx, program.id, changed.transfers, nowMs);
}

/** What the rules of the program said of the attempts of the batch. */
function writeEvaluated(tx: Tx, { changed: { evaluated }, setting }: BatchState, version: bigint): void {
  const { program, nowMs, today } = setting;
  if (evaluated.length > 0) addEvaluations(tx, program.id, evaluated, { day: today, version });
  if (evaluated.some(({ matches }) => matches.length > 0))
    insertMatches(tx, program.id, evaluated, new Date(nowMs));
}

/** The ids of each transaction's events in this batch, in order. */
function eventIdsOf(events: BatchState['changed']['events']): EventIds {
  const ids = new Map<string, string[]>();
  for (const { id, eventType, data } of events) {
    if (eventType !== 'transaction') continue;
    const transactionId = data['transaction_id'] as string;
    const known = ids.get(transactionId);
    if (known) known.push(id);
    else ids.set(transactionId, [id]);
  }
  return ids;
}

/** Rare: after too many wrong expiry dates or CVVs. The block's event is in `changed.events`. */
async function blockCards(tx: Tx, { changed, cards, setting }: BatchState): Promise<void> {
  const { program, nowMs } = setting;
  const actor = { ...localIdentity('system:authorizations'), program, now: () => nowMs };
  for (const [cardId, before] of changed.blocked) {
    const after = cards.get(cardId) as typeof before;
    updateBlocked(tx, { ...after, programId: program.id, id: cardId }, nowMs);
    await audit(tx, actor, 'card.blocked', { cardId, before: auditView(before), after: auditView(after) });
  }
}
