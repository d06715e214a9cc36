import type { DeclineReason } from '../../authorizations/core/decline.ts';
import { findTransactions } from '../../authorizations/transactions/queries.ts';
import { findTransaction, listRefunds } from '../../authorizations/transactions/search-queries.ts';
import { type CardHolder, presentCard } from '../../cards/card.ts';
import { findCard } from '../../cards/queries.ts';
import type { StoredEvent } from '../../events/event.ts';
import { findEvents } from '../../events/queries.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { formatAmount } from '../../kernel/money.ts';
import { findTransfers, type TransferRow } from '../../ledger/queries.ts';
import type { Actor } from '../../programs/actor.ts';
import type { QueryServices } from '../services.ts';
import { accountInWords } from './account-words.ts';
import { detailsOf, presentDecline } from './detail.ts';
import { eventTotal } from './event-total.ts';
import type { TransactionLife } from './schema.ts';

const MOST_REFUNDS = 100;

/** A transaction from its authorization to its refunds, with the transfers of its events. */
export async function readLife(
  services: Pick<QueryServices, 'db' | 'vault'>,
  actor: Actor,
  transactionId: string,
) {
  const { db, vault } = services;
  const { id: programId, currency } = actor.program;
  const found = isId(transactionId) ? await findTransaction(db, programId, transactionId) : undefined;
  if (!found) throw notFound();
  const { transaction, eventIds, eventsTotal } = found;
  const { cardId, parentId } = transaction;
  const [card, holders, parents, refunds, events, transfers] = await Promise.all([
    findCard(db, programId, cardId),
    vault.openRecords(db, programId, 'holder', [cardId]),
    parentId ? findTransactions(db, programId, [parentId]) : [],
    listRefunds(db, programId, transactionId, MOST_REFUNDS),
    findEvents(db, programId, eventIds),
    findTransfers(db, programId, eventIds),
  ]);
  if (!card) throw notFound();
  const details = await detailsOf(services, programId, [transaction, ...parents, ...refunds]);
  const detailOf = new Map(details.map((detail) => [detail.id, detail]));
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const transfersOf = new Map<string, TransferRow[]>(eventIds.map((id) => [id, []]));
  for (const transfer of transfers) transfersOf.get(transfer.movementId)?.push(transfer);
  const inOrder = eventIds.flatMap((id) => eventOf.get(id) ?? []);
  return {
    transaction: detailOf.get(transactionId) as (typeof details)[number],
    authorizationMode: transaction.authorizationMode,
    card: presentCard(card, holders.get(cardId) as CardHolder, actor.now()),
    parent: (parentId && detailOf.get(parentId)) || null,
    refunds: refunds.map(({ id }) => detailOf.get(id) as (typeof details)[number]),
    metadata: transaction.metadata ?? {},
    eventsTotal,
    events: inOrder.map((event) => presentEvent(event, transfersOf.get(event.id) ?? [], currency)),
  };
}

const declineIn = (data: Record<string, string | null>) => ({
  declineReason: (data['decline_reason'] ?? null) as DeclineReason | null,
  networkCode: data['network_code'] ?? null,
});

type LifeEvent = TransactionLife['events'][number];
type Limits = NonNullable<LifeEvent['decline']>['limits'];

function presentEvent(event: StoredEvent, transfers: TransferRow[], currency: string) {
  const { id, eventName: name, createdAt } = event;
  const data = event.data as Record<string, string | null>;
  const textOf = (field: string) => data[field] ?? '';
  const none = formatAmount(0n, currency);
  return {
    id,
    name,
    created: formatTimestamp(createdAt),
    messageId: textOf('message_id'),
    amount: data['amount'] ?? null,
    currency: textOf('currency'),
    billAmount: textOf('bill_amount'),
    billCurrency: textOf('bill_currency'),
    fees: { fx: data['fx_fee'] ?? none, atm: data['atm_fee'] ?? none },
    total: eventTotal(event.data) ?? none,
    status: textOf('status'),
    decline:
      name === 'authorization.declined'
        ? presentDecline(declineIn(data), (event.data['limits'] ?? null) as Limits)
        : null,
    decision: (event.data['decision'] ?? null) as LifeEvent['decision'],
    authentication: (event.data['authentication'] ?? null) as LifeEvent['authentication'],
    ...(event.data['rules'] !== undefined && { rules: event.data['rules'] as LifeEvent['rules'] }),
    ...(event.data['flags'] !== undefined && { flags: event.data['flags'] as LifeEvent['flags'] }),
    ...(data['reverses'] && { reverses: data['reverses'] }),
    ...(event.data['changed'] !== undefined && { changed: event.data['changed'] as LifeEvent['changed'] }),
    transfers: transfers.map((transfer) => ({
      id: transfer.id,
      code: transfer.code,
      debit: accountInWords(transfer.debitAccountId),
      credit: accountInWords(transfer.creditAccountId),
      amount: formatAmount(transfer.amountMinor, currency),
    })),
  };
}
