import type { Static } from 'typebox';
import {
  type AuthorizationRequest,
  type ClearingRequest,
  type Content,
  contentOf,
  type IncrementRequest,
  type RefundRequest,
  type ReversalRequest,
} from '../authorizations/core/message.ts';
import type { TransactionRecord } from '../authorizations/core/transaction.ts';
import { findPresentments } from '../authorizations/engine/presentment-queries.ts';
import { findTransactions } from '../authorizations/transactions/queries.ts';
import { EXAMPLE_MERCHANT } from '../cards/network-schema.ts';
import { findCard } from '../cards/queries.ts';
import { readAcceptor, readDecimal, textsOf } from '../cards/read-network.ts';
import type { Database } from '../db/database.ts';
import { invalid, notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { formatAmount } from '../kernel/money.ts';
import type { Secret } from '../kernel/secret.ts';
import {
  type CardSecrets,
  type MoneyFields,
  readAuthorizationMoney,
  readMoney,
  readOptions,
  textOf,
} from '../network/http/read-fields.ts';
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
}

/**
 * Messages of a merchant that plays the card network: cards and transactions are named by id. A message without an id of
 * its own gets `newMessageId`.
 */

export async function swipe(
  { db, vault }: SimulatorServices,
  program: Program,
  body: Static<typeof SwipeBody>,
  newMessageId: string,
  { cvv }: Pick<CardSecrets, 'cvv'>,
): Promise<AuthorizationRequest> {
  const { card_id: cardId, channel = 'ECOMMERCE' } = body;
  const expiry = body.expiry ?? undefined;
  const { currency = program.currency } = body;
  const money = readAuthorizationMoney({ ...body, currency }, program.currency);
  const merchant = { ...EXAMPLE_MERCHANT, ...body.merchant };
  const options = readOptions(program.bin, body);
  if (!isId(cardId) || !(await findCard(db, program.id, cardId))) throw notFound();
  return {
    kind: 'authorization',
    messageId: body.external_transaction_id ?? newMessageId,
    ...money,
    card: { cardId, numberId: undefined },
    expiry,
    cvv,
    channel,
    acceptor: readAcceptor(program.bin, merchant),
    ...options,
    content: contentIn(vault, [cardId, expiry, cvv, channel, ...textsOf(merchant), textOf(options)], body),
  };
}

export async function swipeIncrement(
  services: SimulatorServices,
  program: Program,
  body: Static<typeof SwipeIncrementBody>,
  newMessageId: string,
): Promise<IncrementRequest> {
  const { id: transactionId, currency } = await findPurchase(services, program.id, body.transaction_id);
  const money = readMoney({ ...body, currency }, program.currency);
  if (money.billAmountMinor === 0n) throw invalid('amount', 'must be greater than 0');
  return {
    kind: 'increment',
    messageId: body.increment_id ?? newMessageId,
    purchase: { transactionId },
    ...money,
    content: contentIn(services.vault, ['increment', transactionId], body),
  };
}

/** Releases a hold, or takes back a clearing of the purchase or a refund. */
export async function swipeReversal(
  services: SimulatorServices,
  program: Program,
  body: Static<typeof SwipeReversalBody>,
  newMessageId: string,
): Promise<ReversalRequest> {
  const { clearing_id: clearingId } = body;
  const found = await findTransaction(services, program.id, body.transaction_id);
  if (body.amount !== undefined && found.currency !== program.currency)
    throw invalid('amount', 'is not allowed for a purchase in another currency; use bill_amount');
  const bill_amount = body.bill_amount ?? body.amount;
  const billAmountMinor =
    bill_amount === undefined ? undefined : readDecimal('bill_amount', bill_amount, program.currency);
  if (billAmountMinor === 0n) throw invalid('bill_amount', 'must be greater than 0');
  if (clearingId !== undefined) await requireClearingOf(services, program.id, found.id, clearingId);
  const refund = { kind: 'refund' as const, messageId: found.externalTransactionId };
  const reversed =
    clearingId !== undefined
      ? { presentment: { kind: 'clearing' as const, messageId: clearingId } }
      : found.kind === 'refund'
        ? { presentment: refund }
        : { purchase: { transactionId: found.id } };
  return {
    kind: 'reversal',
    messageId: body.reversal_id ?? newMessageId,
    reversed,
    billAmountMinor,
    content: contentOf(services.vault, 'reversal', found.id, clearingId ?? '', String(billAmountMinor)),
  };
}

/** An unknown clearing is refused by the engine. */
async function requireClearingOf(
  { db }: SimulatorServices,
  programId: string,
  transactionId: string,
  clearingId: string,
): Promise<void> {
  const [known] = await findPresentments(db, programId, [{ kind: 'clearing', messageId: clearingId }]);
  if (known && known.transactionId !== transactionId)
    throw invalid('clearing_id', 'is not a clearing of this transaction');
}

export async function swipeClearing(
  services: SimulatorServices,
  program: Program,
  body: Static<typeof SwipeClearingBody>,
  newMessageId: string,
): Promise<ClearingRequest> {
  const purchase = await findPurchase(services, program.id, body.transaction_id);
  const money = readMoney(moneyOr(openPart(purchase), program.currency, body), program.currency);
  const { final = true } = body;
  return {
    kind: 'clearing',
    messageId: body.clearing_id ?? newMessageId,
    purchase: { transactionId: purchase.id },
    card: undefined,
    channel: undefined,
    acceptor: undefined,
    final,
    ...money,
    content: contentIn(services.vault, ['clearing', purchase.id, String(final)], body),
  };
}

export async function swipeRefund(
  services: SimulatorServices,
  program: Program,
  body: Static<typeof SwipeRefundBody>,
  newMessageId: string,
): Promise<RefundRequest> {
  const purchase = await findPurchase(services, program.id, body.transaction_id);
  const money = readMoney(moneyOr(spentPart(purchase), program.currency, body), program.currency);
  if (money.billAmountMinor === 0n) throw invalid('amount', 'must be greater than 0');
  return {
    kind: 'refund',
    messageId: body.refund_id ?? newMessageId,
    purchase: { transactionId: purchase.id },
    card: undefined,
    channel: undefined,
    acceptor: undefined,
    ...money,
    content: contentIn(services.vault, ['refund', purchase.id], body),
  };
}

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
function openPart({
  currency,
  billCurrency,
  amountMinor,
  heldMinor,
  billAmountMinor,
}: TransactionRecord): Whole {
  const billMinor = heldMinor || billAmountMinor;
  const partMinor = billAmountMinor === 0n ? 0n : (amountMinor * billMinor) / billAmountMinor;
  return { amountMinor: currency === billCurrency ? billMinor : partMinor, currency, billMinor };
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

/** The request as it was sent: an omitted amount differs from an equal explicit amount. */
const contentIn = (
  vault: Vault,
  parts: ReadonlyArray<string | Secret | undefined>,
  { amount, currency, bill_amount }: Partial<MoneyFields>,
): Content =>
  contentOf(vault, 'sandbox', ...[...parts, amount, currency, bill_amount].map((part) => part ?? ''));
