import type {
  AuthorizationRequest,
  CardReference,
  ClearingRequest,
  Content,
  IncrementRequest,
  RefundRequest,
  ReversalRequest,
} from '../../authorizations/core/message.ts';
import { contentOf } from '../../authorizations/core/message.ts';
import { findNumber, readAcceptor, readDecimal, textsOf } from '../../cards/read-network.ts';
import { invalid } from '../../kernel/error.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Program } from '../../programs/program.ts';
import type { Vault } from '../../vault/vault.ts';
import {
  type CardSecrets,
  readAuthorizationMoney,
  readMoney,
  readOptions,
  readOrigin,
  textOf,
} from './read-fields.ts';
import type { AuthorizationBody, ClearingBody, IncrementBody, RefundBody, ReversalBody } from './schema.ts';

/** Converts the network's JSON into the engine's messages, which name cards by id and never by number. */

export async function readAuthorization(
  vault: Vault,
  program: Program,
  body: AuthorizationBody,
  { number, cvv }: CardSecrets,
): Promise<AuthorizationRequest> {
  const { merchant, external_transaction_id: messageId, channel } = body;
  const money = readAuthorizationMoney(body, program.currency);
  const expiry = body.expiry ?? undefined;
  const options = readOptions(program.bin, body);
  return {
    kind: 'authorization',
    messageId,
    ...money,
    card: await findNumber(vault, program.id, number as Secret),
    expiry,
    cvv,
    channel,
    acceptor: readAcceptor(program.bin, merchant),
    ...options,
    content: contentIn(vault, [number, expiry, cvv, channel, ...textsOf(merchant), textOf(options)], money),
  };
}

export function readIncrement(vault: Vault, program: Program, body: IncrementBody): IncrementRequest {
  const { external_transaction_id: externalTransactionId, increment_id: messageId } = body;
  const money = readMoney(body, program.currency);
  if (money.billAmountMinor === 0n) throw invalid('bill_amount', 'must be greater than 0');
  const content = contentIn(vault, ['increment', externalTransactionId], money);
  const purchase = { externalTransactionId };
  return { kind: 'increment', messageId, purchase, ...money, content };
}

export function readReversal(vault: Vault, program: Program, body: ReversalBody): ReversalRequest {
  const { reversal_id: messageId, bill_amount } = body;
  const billAmountMinor =
    bill_amount === undefined ? undefined : readDecimal('bill_amount', bill_amount, program.currency);
  if (billAmountMinor === 0n) throw invalid('bill_amount', 'must be greater than 0');
  const { reversed, id } = readReversed(body);
  const content = contentOf(vault, 'reversal', id, String(billAmountMinor));
  return { kind: 'reversal', messageId, reversed, billAmountMinor, content };
}

/** What a reversal takes back: exactly one of a hold, a clearing and a refund. */
function readReversed(body: ReversalBody): { reversed: ReversalRequest['reversed']; id: string } {
  const { external_transaction_id: externalTransactionId, clearing_id, refund_id } = body;
  const given = [externalTransactionId, clearing_id, refund_id].filter((id) => id !== undefined);
  if (given.length > 1)
    throw invalid('reversal_id', 'must name one purchase, clearing or refund, not several');
  if (clearing_id !== undefined)
    return {
      reversed: { presentment: { kind: 'clearing', messageId: clearing_id } },
      id: `clearing ${clearing_id}`,
    };
  if (refund_id !== undefined)
    return { reversed: { presentment: { kind: 'refund', messageId: refund_id } }, id: `refund ${refund_id}` };
  if (externalTransactionId === undefined)
    throw invalid('external_transaction_id', 'is required without clearing_id and refund_id');
  return { reversed: { purchase: { externalTransactionId } }, id: externalTransactionId };
}

export async function readClearing(
  vault: Vault,
  program: Program,
  body: ClearingBody,
  { number }: CardSecrets,
): Promise<ClearingRequest> {
  const { external_transaction_id: externalTransactionId, clearing_id: messageId, final = true } = body;
  const money = readMoney(body, program.currency);
  const card = await findKnownCard(vault, program.id, number);
  const parts = ['clearing', externalTransactionId, number, String(final), ...originTexts(body)];
  const content = contentIn(vault, parts, money);
  const purchase = { externalTransactionId };
  const origin = readOrigin(program.bin, body);
  return { kind: 'clearing', messageId, purchase, card, final, ...money, ...origin, content };
}

export async function readRefund(
  vault: Vault,
  program: Program,
  body: RefundBody,
  { number }: CardSecrets,
): Promise<RefundRequest> {
  const { external_transaction_id: externalTransactionId, refund_id: messageId } = body;
  const money = readMoney(body, program.currency);
  if (money.billAmountMinor === 0n) throw invalid('bill_amount', 'must be greater than 0');
  if (number === undefined && externalTransactionId === undefined)
    throw invalid('card_number', 'is required without external_transaction_id');
  const card = await findKnownCard(vault, program.id, number);
  const content = contentIn(vault, ['refund', externalTransactionId, number, ...originTexts(body)], money);
  const purchase = externalTransactionId === undefined ? undefined : { externalTransactionId };
  const origin = readOrigin(program.bin, body);
  return { kind: 'refund', messageId, purchase, card, ...money, ...origin, content };
}

const originTexts = ({ channel, merchant }: Pick<ClearingBody, 'channel' | 'merchant'>): string[] =>
  channel || merchant ? [channel ?? '', ...(merchant ? textsOf(merchant) : [])] : [];

async function findKnownCard(
  vault: Vault,
  programId: string,
  number: Secret | undefined,
): Promise<CardReference | undefined> {
  if (number === undefined) return undefined;
  const card = await findNumber(vault, programId, number);
  if (!card) throw invalid('card_number', 'is not a card in this program');
  return card;
}

const contentIn = (
  vault: Vault,
  parts: ReadonlyArray<string | Secret | undefined>,
  {
    amountMinor,
    currency,
    billAmountMinor,
  }: { amountMinor: bigint; currency: string; billAmountMinor: bigint },
): Content =>
  contentOf(
    vault,
    ...parts.map((part) => part ?? ''),
    String(amountMinor),
    currency,
    String(billAmountMinor),
  );
