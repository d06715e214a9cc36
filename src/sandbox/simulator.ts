import type { Static } from 'typebox';
import {
  type AdviceRequest,
  type AuthorizationRequest,
  type ClearingRequest,
  type Content,
  contentOf,
  type IncrementRequest,
  type PresentmentReference,
  type RefundRequest,
  type ReversalRequest,
} from '../authorizations/core/message.ts';
import type { TransactionRecord } from '../authorizations/core/transaction.ts';
import { findPresentments } from '../authorizations/engine/presentment-queries.ts';
import { findTransactions } from '../authorizations/transactions/queries.ts';
import { EXAMPLE_MERCHANT } from '../cards/network-schema.ts';
import { findCard } from '../cards/queries.ts';
import type { Database } from '../db/database.ts';
import { invalid, notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import type { Metrics } from '../kernel/metric.ts';
import { formatAmount } from '../kernel/money.ts';
import type { CardSecrets, MoneyFields } from '../network/http/read-fields.ts';
import {
  authorizationOf,
  clearingOf,
  incrementOf,
  type Reading,
  refundOf,
  reversalOf,
} from '../network/http/read-message.ts';
import { UNKNOWN_WORDS } from '../network/http/read-message-data.ts';
import type { Program } from '../programs/program.ts';
import type { Vault } from '../vault/vault.ts';
import type {
  SwipeBody,
  SwipeClearingBody,
  SwipeIncrementBody,
  SwipeRefundBody,
  SwipeReversalBody,
} from './simulator-schema.ts';

export interface SimulatorServices {
  db: Database;
  vault: Vault;
  metrics: Metrics;
}

/**
 * Messages of a merchant that plays the card network: cards and transactions are named by id. A message without an id of
 * its own gets `newMessageId`.
 */

export async function swipe(
  services: SimulatorServices,
  program: Program,
  body: Static<typeof SwipeBody>,
  newMessageId: string,
  { cvv }: Pick<CardSecrets, 'cvv'>,
): Promise<AuthorizationRequest | AdviceRequest> {
  const { card_id: cardId, channel = 'ECOMMERCE', currency = program.currency } = body;
  const merchant = { ...EXAMPLE_MERCHANT, ...body.merchant };
  const id = body.external_transaction_id ?? newMessageId;
  const message = authorizationOf(
    readingOf(services, program),
    { ...body, channel, currency, merchant },
    id,
    cvv,
    cardId,
  );
  if (!isId(cardId) || !(await findCard(services.db, program.id, cardId))) throw notFound();
  return { ...message, card: { cardId, numberId: undefined } };
}

export async function swipeIncrement(
  services: SimulatorServices,
  program: Program,
  body: Static<typeof SwipeIncrementBody>,
  newMessageId: string,
): Promise<IncrementRequest> {
  const { id: transactionId, currency } = await findPurchase(services, program.id, body.transaction_id);
  const message = incrementOf(readingOf(services, program), { ...body, currency }, { transactionId });
  return { ...message, messageId: body.increment_id ?? newMessageId };
}

/** Releases a hold, an increment of it, or takes back a clearing of the purchase or a refund. */
export async function swipeReversal(
  services: SimulatorServices,
  program: Program,
  body: Static<typeof SwipeReversalBody>,
  newMessageId: string,
): Promise<ReversalRequest> {
  const { increment_id: incrementId } = body;
  const found = await findTransaction(services, program.id, body.transaction_id);
  const presentment = presentmentOf(found, body);
  if (presentment) await requirePresentmentOf(services, program.id, found.id, presentment);
  if (incrementId !== undefined && (presentment || found.kind === 'refund'))
    throw invalid('increment_id', 'is of a purchase, and without clearing_id');
  const reversed: ReversalRequest['reversed'] = presentment
    ? { presentment }
    : { purchase: { transactionId: found.id }, incrementId };
  // An amount without its currency is in the currency of the transaction.
  const { amount, currency = amount === undefined ? undefined : found.currency } = body;
  const part = currency === undefined ? body : { ...body, currency };
  const message = reversalOf({ ...services, program }, part, reversed);
  return { ...message, messageId: body.reversal_id ?? newMessageId };
}

/** The clearing or refund to take back; undefined: the hold, or the credit that no refund has followed. */
function presentmentOf(
  { kind, type, externalTransactionId }: TransactionRecord,
  { clearing_id, refund_id }: Static<typeof SwipeReversalBody>,
): PresentmentReference | undefined {
  if (clearing_id !== undefined && refund_id !== undefined)
    throw invalid('refund_id', 'must be absent with clearing_id');
  if (clearing_id !== undefined) return { kind: 'clearing', messageId: clearing_id };
  if (refund_id !== undefined) return { kind: 'refund', messageId: refund_id };
  return kind === 'refund' && type !== 'CREDIT'
    ? { kind: 'refund', messageId: externalTransactionId }
    : undefined;
}

/** An unknown one is refused by the engine. */
async function requirePresentmentOf(
  { db }: SimulatorServices,
  programId: string,
  transactionId: string,
  presentment: PresentmentReference,
): Promise<void> {
  const [known] = await findPresentments(db, programId, [presentment]);
  const { kind } = presentment;
  if (known && known.transactionId !== transactionId)
    throw invalid(`${kind}_id`, `is not a ${kind} of this transaction`);
}

export async function swipeClearing(
  services: SimulatorServices,
  program: Program,
  body: Static<typeof SwipeClearingBody>,
  newMessageId: string,
): Promise<ClearingRequest> {
  const purchase = await findPurchase(services, program.id, body.transaction_id);
  const money = moneyOr(openPart(purchase), program.currency, body);
  const named = { transactionId: purchase.id };
  const message = clearingOf(readingOf(services, program), { ...body, ...money }, named, undefined);
  const messageId = body.clearing_id ?? newMessageId;
  return { ...message, ...wholeContent(services, message, body), ...NO_ORIGIN, messageId };
}

export async function swipeRefund(
  services: SimulatorServices,
  program: Program,
  body: Static<typeof SwipeRefundBody>,
  newMessageId: string,
): Promise<RefundRequest> {
  const found = await findTransaction(services, program.id, body.transaction_id);
  if (found.kind === 'refund' && found.type !== 'CREDIT')
    throw invalid('transaction_id', 'is a refund, not a purchase');
  const money = moneyOr(spentPart(found), program.currency, body);
  const named = { transactionId: found.id };
  const message = refundOf(readingOf(services, program), { ...body, ...money }, named, undefined);
  const messageId = body.refund_id ?? newMessageId;
  return { ...message, ...wholeContent(services, message, body), ...NO_ORIGIN, messageId };
}

const NO_ORIGIN = { channel: undefined, acceptor: undefined };

const readingOf = ({ vault, metrics }: SimulatorServices, program: Program): Reading => ({
  vault,
  program,
  onUnknown: (field) => metrics.count(UNKNOWN_WORDS, { field }),
});

/** Without an amount, a message is for what is left, which is another amount when it is repeated. */
const wholeContent = (
  { vault }: SimulatorServices,
  { kind, ...message }: (Pick<ClearingRequest, 'final'> & { kind: 'clearing' }) | { kind: 'refund' },
  { transaction_id, amount, bill_amount = '' }: { transaction_id: string } & Partial<MoneyFields>,
): { content?: Content } =>
  amount === undefined
    ? {
        content: contentOf(
          vault,
          'sandbox',
          kind,
          transaction_id,
          'final' in message ? String(message.final) : '',
          bill_amount,
        ),
      }
    : {};

async function findTransaction(
  { db }: SimulatorServices,
  programId: string,
  id: string,
): Promise<TransactionRecord> {
  const [found] = isId(id) ? await findTransactions(db, programId, [id]) : [];
  if (!found) throw notFound();
  return found;
}

async function findPurchase(
  services: SimulatorServices,
  programId: string,
  id: string,
): Promise<TransactionRecord> {
  const found = await findTransaction(services, programId, id);
  if (found.kind === 'refund') throw invalid('transaction_id', 'is a refund, not a purchase');
  return found;
}

interface Whole {
  amountMinor: bigint;
  currency: string;
  billMinor: bigint;
}

/** The part that can still clear: the hold, or the whole amount if nothing is held. */
function openPart({ currency, heldMinor, heldAmountMinor, ...purchase }: TransactionRecord): Whole {
  return heldMinor > 0n
    ? { amountMinor: heldAmountMinor, currency, billMinor: heldMinor }
    : { amountMinor: purchase.amountMinor, currency, billMinor: purchase.billAmountMinor };
}

/** The spent amount: what cleared, or the requested amount if nothing has cleared yet. */
function spentPart(purchase: TransactionRecord): Whole {
  const { clearedMinor, clearedAmountMinor, clearedCurrency, currency, billAmountMinor } = purchase;
  if (clearedMinor === 0n || clearedCurrency === null)
    return { amountMinor: purchase.amountMinor, currency, billMinor: billAmountMinor };
  return { amountMinor: clearedAmountMinor, currency: clearedCurrency, billMinor: clearedMinor };
}

/** Without an amount, the message is for the whole. */
function moneyOr(whole: Whole, cardCurrency: string, body: Partial<MoneyFields>): MoneyFields {
  const { amount, currency = whole.currency, bill_amount, bill_currency } = body;
  if (amount !== undefined) return { amount, currency, bill_amount, bill_currency };
  const billed = bill_amount ?? formatAmount(whole.billMinor, cardCurrency);
  const sameCurrency = whole.currency === cardCurrency;
  return {
    amount: sameCurrency ? billed : formatAmount(whole.amountMinor, whole.currency),
    currency: whole.currency,
    bill_amount: billed,
    bill_currency,
  };
}
