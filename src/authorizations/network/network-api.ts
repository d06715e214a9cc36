import { invalid } from '../../kernel/error.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Actor } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Submit } from '../engine/engine.ts';
import {
  type AuthorizationRequest,
  type AuthorizationResponse,
  type CardReference,
  type ClearingResponse,
  type Content,
  contentOf,
  type RefundResponse,
  type ReversalResponse,
} from '../rules/message.ts';
import { type CardSecrets, readDecimal, readMerchant, readMoney } from './read-message.ts';
import type { AuthorizationBody, ClearingBody, RefundBody, ReversalBody } from './schema.ts';

export interface NetworkServices {
  vault: Vault;
  submit: Submit;
}

/** Translates the network's JSON into the engine's messages, which name cards by id and never by number. */

export async function submitAuthorization(
  { vault, submit }: NetworkServices,
  { program }: Actor,
  body: AuthorizationBody,
  { number, cvv }: CardSecrets,
): Promise<AuthorizationResponse> {
  const { merchant, external_transaction_id: messageId } = body;
  const money = readMoney(body, program.currency);
  const { id, name, mcc, city, country } = merchant;
  const request: AuthorizationRequest = {
    kind: 'authorization',
    messageId,
    ...money,
    card: await findCard(vault, program.id, number as Secret),
    expiry: body.expiry,
    cvv,
    channel: body.channel,
    merchant: readMerchant(program.bin, merchant),
    content: contentIn(vault, [number, body.expiry, cvv, body.channel, id, name, mcc, city, country], money),
  };
  return submit(program.id, request);
}

export async function submitReversal(
  { vault, submit }: NetworkServices,
  { program }: Actor,
  body: ReversalBody,
): Promise<ReversalResponse> {
  const { external_transaction_id: externalTransactionId, reversal_id: messageId, bill_amount } = body;
  const billAmountMinor =
    bill_amount === undefined ? undefined : readDecimal('bill_amount', bill_amount, program.currency);
  if (billAmountMinor === 0n) throw invalid('bill_amount', 'must be greater than 0');
  const content = contentOf(vault, 'reversal', externalTransactionId, String(billAmountMinor));
  const purchase = { externalTransactionId };
  return submit(program.id, { kind: 'reversal', messageId, purchase, billAmountMinor, content });
}

export async function submitClearing(
  { vault, submit }: NetworkServices,
  { program }: Actor,
  body: ClearingBody,
  { number }: CardSecrets,
): Promise<ClearingResponse> {
  const { external_transaction_id: externalTransactionId, clearing_id: messageId, final = true } = body;
  const money = readMoney(body, program.currency);
  const card = await findKnownCard(vault, program.id, number);
  const content = contentIn(vault, ['clearing', externalTransactionId, number, String(final)], money);
  const purchase = { externalTransactionId };
  return submit(program.id, { kind: 'clearing', messageId, purchase, card, final, ...money, content });
}

export async function submitRefund(
  { vault, submit }: NetworkServices,
  { program }: Actor,
  body: RefundBody,
  { number }: CardSecrets,
): Promise<RefundResponse> {
  const { external_transaction_id: externalTransactionId, refund_id: messageId } = body;
  const money = readMoney(body, program.currency);
  if (money.billAmountMinor === 0n) throw invalid('bill_amount', 'must be greater than 0');
  if (number === undefined && externalTransactionId === undefined)
    throw invalid('card_number', 'is required without external_transaction_id');
  const card = await findKnownCard(vault, program.id, number);
  const content = contentIn(vault, ['refund', externalTransactionId, number], money);
  const purchase = externalTransactionId === undefined ? undefined : { externalTransactionId };
  return submit(program.id, { kind: 'refund', messageId, purchase, card, ...money, content });
}

/** Undefined for an unknown number and for one of another program: the network must not see the difference. */
async function findCard(vault: Vault, programId: string, number: Secret): Promise<CardReference | undefined> {
  const record = await vault.locateNumber(number);
  return record?.programId === programId ? record : undefined;
}

async function findKnownCard(
  vault: Vault,
  programId: string,
  number: Secret | undefined,
): Promise<CardReference | undefined> {
  if (number === undefined) return undefined;
  const card = await findCard(vault, programId, number);
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
