import type {
  AdviceRequest,
  AuthorizationRequest,
  CardReference,
  ClearingRequest,
  Content,
  IncrementRequest,
  Money,
  PurchaseReference,
  RefundRequest,
  ReversalRequest,
} from '../../authorizations/core/message.ts';
import { contentOf } from '../../authorizations/core/message.ts';
import type { MerchantBody } from '../../cards/network-schema.ts';
import { findNumber, readAcceptor } from '../../cards/read-network.ts';
import { invalid } from '../../kernel/error.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Program } from '../../programs/program.ts';
import type { Vault } from '../../vault/vault.ts';
import {
  type CardSecrets,
  type MoneyFields,
  readAuthorizationMoney,
  readMoney,
  readOptions,
  readOrigin,
  readPart,
  textOf,
} from './read-fields.ts';
import { type GivenData, interchangeOf, readMessageData } from './read-message-data.ts';
import type { AuthorizationBody, ClearingBody, IncrementBody, RefundBody, ReversalBody } from './schema.ts';

/** Where the messages of a program are read. */
export interface Reading {
  vault: Vault;
  program: Program;
  /** Gets the name of each field with a word that we do not know. */
  onUnknown: (field: string) => void;
}

/** Converts the network's JSON into the engine's messages, which name cards by id and never by number. */

export async function readAuthorization(
  reading: Reading,
  body: AuthorizationBody,
  { number, cvv }: CardSecrets,
): Promise<AuthorizationRequest | AdviceRequest> {
  const { vault, program } = reading;
  const card = await findNumber(vault, program.id, number as Secret);
  return { ...authorizationOf(reading, body, body.external_transaction_id, cvv, number as Secret), card };
}

/** What an authorization or an advice says beside its card, which `named` names in its content. */
export function authorizationOf(
  reading: Reading,
  body: Omit<AuthorizationBody, 'card_number' | 'external_transaction_id'>,
  externalTransactionId: string,
  cvv: Secret | undefined,
  named: string | Secret,
): Omit<AuthorizationRequest, 'card'> | Omit<AdviceRequest, 'card'> {
  const { vault, program } = reading;
  const { merchant, channel, advice_id } = body;
  const money = readAuthorizationMoney(body, program.currency);
  const expiry = body.expiry ?? undefined;
  const { standIn, ...options } = readOptions(program.bin, body);
  if (!standIn && advice_id !== undefined) throw invalid('stand_in', 'is required with advice_id');
  const parts = [named, expiry, cvv, channel, ...decidingTexts(merchant), textOf({ ...options, standIn })];
  const common = {
    externalTransactionId,
    ...money,
    expiry,
    cvv,
    channel,
    acceptor: readAcceptor(program.bin, merchant),
    ...options,
    network: dataOf(reading, body),
  };
  if (!standIn)
    return {
      kind: 'authorization',
      messageId: externalTransactionId,
      ...common,
      content: contentIn(vault, parts, money),
    };
  const content = contentIn(vault, ['advice', externalTransactionId, ...parts], money);
  return { kind: 'advice', messageId: advice_id ?? externalTransactionId, ...common, standIn, content };
}

export function readIncrement(reading: Reading, body: IncrementBody): IncrementRequest {
  const { external_transaction_id: externalTransactionId, increment_id: messageId } = body;
  return { ...incrementOf(reading, body, { externalTransactionId }), messageId };
}

export function incrementOf(
  reading: Reading,
  body: MoneyFields & GivenData,
  purchase: PurchaseReference,
): Omit<IncrementRequest, 'messageId'> {
  const { vault, program } = reading;
  const money = readMoney(body, program.currency);
  if (money.billAmountMinor === 0n) throw tooSmall(body);
  const content = contentIn(vault, ['increment', idOf(purchase)], money);
  return { kind: 'increment', purchase, ...money, network: dataOf(reading, body), content };
}

const tooSmall = ({ bill_amount }: MoneyFields) =>
  invalid(bill_amount === undefined ? 'amount' : 'bill_amount', 'must be greater than 0');

export function readReversal({ vault, program }: Reading, body: ReversalBody): ReversalRequest {
  return { ...reversalOf({ vault, program }, body, readReversed(body)), messageId: body.reversal_id };
}

type ReversalFields = Pick<ReversalBody, 'reason' | 'amount' | 'currency' | 'bill_amount' | 'bill_currency'>;

export function reversalOf(
  { vault, program }: Pick<Reading, 'vault' | 'program'>,
  body: ReversalFields,
  reversed: ReversalRequest['reversed'],
): Omit<ReversalRequest, 'messageId'> {
  const part = readPart(body, program.currency);
  const timedOut = body.reason === 'TIMEOUT';
  if (timedOut && part) throw invalid('reason', 'TIMEOUT takes no amounts');
  if (timedOut && 'presentment' in reversed)
    throw invalid('reason', 'TIMEOUT is for an authorization or an increment');
  const names =
    'presentment' in reversed
      ? [reversed.presentment.kind, reversed.presentment.messageId]
      : [idOf(reversed.purchase), reversed.incrementId && `increment ${reversed.incrementId}`];
  // In the card's currency both amounts are the same.
  const foreign = part && part.currency !== program.currency && part.currency;
  const money = [part?.billAmountMinor, foreign && `${part.amountMinor} ${foreign}`, timedOut && 'TIMEOUT'];
  const content = contentOf(vault, 'reversal', ...[...names, ...money].map((value) => String(value || '')));
  return { kind: 'reversal', reversed, part, timedOut, content };
}

/** What a reversal takes back: exactly one of a hold, a clearing and a refund. */
function readReversed(body: ReversalBody): ReversalRequest['reversed'] {
  const { external_transaction_id: externalTransactionId, clearing_id, refund_id, increment_id } = body;
  const given = [externalTransactionId, clearing_id, refund_id].filter((id) => id !== undefined);
  if (given.length > 1)
    throw invalid('reversal_id', 'must name one purchase, clearing or refund, not several');
  if (increment_id !== undefined && externalTransactionId === undefined)
    throw invalid('external_transaction_id', 'is required with increment_id');
  if (clearing_id !== undefined) return { presentment: { kind: 'clearing', messageId: clearing_id } };
  if (refund_id !== undefined) return { presentment: { kind: 'refund', messageId: refund_id } };
  if (externalTransactionId === undefined)
    throw invalid('external_transaction_id', 'is required without clearing_id and refund_id');
  return { purchase: { externalTransactionId }, incrementId: increment_id };
}

export async function readClearing(
  reading: Reading,
  body: ClearingBody,
  { number }: CardSecrets,
): Promise<ClearingRequest> {
  const { external_transaction_id: externalTransactionId, clearing_id: messageId } = body;
  const card = await findPresentedCard(reading, number);
  const clearing = clearingOf(reading, body, { externalTransactionId }, card, number);
  return { ...clearing, messageId, ...readOrigin(reading.program.bin, body) };
}

type PresentedFields = MoneyFields & GivenData;

export function clearingOf(
  reading: Reading,
  body: PresentedFields & Pick<ClearingBody, 'final'>,
  purchase: PurchaseReference,
  card: ClearingRequest['card'],
  number?: Secret,
): Omit<ClearingRequest, 'messageId' | 'channel' | 'acceptor'> {
  const { final = true } = body;
  const parts = ['clearing', idOf(purchase), String(final)];
  return { kind: 'clearing', purchase, card, final, ...presentedIn(reading, body, parts, card, number) };
}

export async function readRefund(
  reading: Reading,
  body: RefundBody,
  { number }: CardSecrets,
): Promise<RefundRequest> {
  const { external_transaction_id: externalTransactionId, refund_id: messageId } = body;
  if (number === undefined && externalTransactionId === undefined)
    throw invalid('card_number', 'is required without external_transaction_id');
  const card = await findPresentedCard(reading, number);
  const purchase = externalTransactionId === undefined ? undefined : { externalTransactionId };
  const refund = refundOf(reading, body, purchase, card, number);
  return { ...refund, messageId, ...readOrigin(reading.program.bin, body) };
}

export function refundOf(
  reading: Reading,
  body: PresentedFields,
  purchase: PurchaseReference | undefined,
  card: RefundRequest['card'],
  number?: Secret,
): Omit<RefundRequest, 'messageId' | 'channel' | 'acceptor'> {
  // Without a purchase, the card says whose it is.
  const named = purchase ? idOf(purchase) : card && card !== 'unknown' ? card.cardId : '';
  const presented = presentedIn(reading, body, ['refund', named], card, number);
  if (presented.billAmountMinor === 0n) throw tooSmall(body);
  return { kind: 'refund', purchase, card, ...presented };
}

/** The number is content only where no card has it: else the card is compared. */
function presentedIn(
  reading: Reading,
  body: PresentedFields,
  parts: string[],
  card: ClearingRequest['card'],
  number: Secret | undefined,
) {
  const { vault, program } = reading;
  const money = readMoney(body, program.currency);
  const known = contentIn(vault, parts, money);
  const unknown = number && contentIn(vault, [...parts, number], money);
  const { digest } = card === 'unknown' && unknown ? unknown : known;
  const matches = (stored: Buffer) => known.matches(stored) || unknown?.matches(stored) === true;
  return {
    ...money,
    network: dataOf(reading, body),
    interchangeMinor: interchangeOf(body, program.currency),
    content: { digest, matches },
  };
}

export async function findPresentedCard(
  { vault, program }: Reading,
  number: Secret | undefined,
): Promise<CardReference | 'unknown' | undefined> {
  return number && ((await findNumber(vault, program.id, number)) ?? 'unknown');
}

const dataOf = ({ program, onUnknown }: Reading, body: GivenData & { currency?: string | undefined }) =>
  readMessageData(program, body, body.currency, onUnknown);

const idOf = (purchase: PurchaseReference): string =>
  'transactionId' in purchase ? purchase.transactionId : purchase.externalTransactionId;

/** What decides of a merchant: not how the network describes it. */
const decidingTexts = ({ id, mcc }: MerchantBody): string[] => [id, mcc.padStart(4, '0')];

const contentIn = (
  vault: Vault,
  parts: ReadonlyArray<string | Secret | undefined>,
  { amountMinor, currency, billAmountMinor }: Money,
): Content =>
  contentOf(
    vault,
    ...parts.map((part) => part ?? ''),
    String(amountMinor),
    currency,
    String(billAmountMinor),
  );
