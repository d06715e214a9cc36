import type { CardHolder } from '../../cards/card.ts';
import type { Database } from '../../db/database.ts';
import type { StoredEvent } from '../../events/event.ts';
import { findEvents } from '../../events/queries.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { Actor } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import { authenticationView } from '../core/authentication.ts';
import { declineView, feesOf, presentTransaction, type TransactionRecord } from '../core/transaction.ts';
import type { TransactionDetails } from './schema.ts';
import { findTransaction, listRefunds, sumRefunds } from './search-queries.ts';

const MOST_REFUNDS = 100;

/** A transaction with the numbers behind it and its history. */
export async function retrieveTransaction(
  { db, vault }: { db: Database; vault: Vault },
  { program: { id: programId } }: Actor,
  id: string,
): Promise<TransactionDetails> {
  const found = isId(id) ? await findTransaction(db, programId, id) : undefined;
  if (!found) throw notFound();
  const { transaction, eventIds, eventsTotal } = found;
  const [holders, events, refundedMinor, refunds] = await Promise.all([
    vault.openRecords(db, programId, 'holder', [transaction.cardId]),
    findEvents(db, programId, eventIds),
    sumRefunds(db, programId, id),
    listRefunds(db, programId, id, MOST_REFUNDS),
  ]);
  const { cardholderName } = holders.get(transaction.cardId) as CardHolder;
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const inOrder = eventIds.flatMap((eventId) => eventOf.get(eventId) ?? []);
  return {
    ...presentTransaction(transaction, cardholderName),
    ...presentDetail(transaction, refundedMinor),
    ...decidedIn(inOrder, transaction),
    refunds: refunds.map((refund) => refund.id),
    events_total: eventsTotal,
    events: inOrder.map(presentEvent),
  };
}

function presentDetail(transaction: TransactionRecord, refundedMinor: bigint) {
  const { billCurrency } = transaction;
  const money = (minor: bigint) => formatAmount(minor, billCurrency);
  const { fxMinor, atmMinor } = feesOf(transaction);
  return {
    kind: transaction.kind,
    channel: transaction.channel,
    merchant: transaction.acceptor,
    authentication: transaction.authentication && authenticationView(transaction.authentication),
    ...declineView(transaction),
    network_code: transaction.networkCode,
    approval_code: transaction.approvalCode,
    authorization_mode: transaction.authorizationMode,
    fx_fee: money(fxMinor),
    atm_fee: money(atmMinor),
    held_amount: money(transaction.heldMinor),
    cleared_amount: money(transaction.clearedMinor),
    flags: transaction.flags,
    network: transaction.network,
    rules: (transaction.rules ?? []) as TransactionDetails['rules'],
    metadata: transaction.metadata ?? {},
    parent_transaction_id: transaction.parentId,
    refunded_amount: money(refundedMinor),
  };
}

/** Who decided the purchase, last by an advice, and the numbers behind a decline. */
function decidedIn(
  events: readonly StoredEvent[],
  { externalTransactionId }: TransactionRecord,
): Pick<TransactionDetails, 'decision' | 'limits'> {
  // The decisions on increments are in the history.
  const event = events.findLast(({ data }) => {
    const { message_id, decision } = data as Partial<HistoryEvent>;
    return decision && (message_id === externalTransactionId || decision.source === 'network');
  });
  const { decision = null, limits = null } = (event?.data ?? {}) as Partial<TransactionDetails>;
  return { decision, limits };
}

type HistoryEvent = TransactionDetails['events'][number];

/** The fields of an event are those of its data, which `eventView` wrote. */
const presentEvent = ({ id, eventName, createdAt, data }: StoredEvent): HistoryEvent => ({
  ...(data as unknown as HistoryEvent),
  id,
  name: eventName,
  created: formatTimestamp(createdAt),
});
