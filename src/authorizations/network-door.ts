import { invalid } from '../kernel/error.ts';
import { secret } from '../kernel/secret.ts';
import type { Caller } from '../programs/program.ts';
import type { Vault } from '../vault/vault.ts';
import type { Submit } from './engine.ts';
import {
  type AuthorizationAnswer,
  type AuthorizationRequest,
  type CardReference,
  type ClearingAnswer,
  type Content,
  contentOf,
  type RefundAnswer,
  type ReversalAnswer,
} from './message.ts';
import { readDecimal, readMerchant, readMoney, refuseNumberIn } from './read-message.ts';
import type { AuthorizationBody, ClearingBody, RefundBody, ReversalBody } from './schema.ts';

export interface DoorServices {
  vault: Vault;
  submit: Submit;
}

/** Translates the network's JSON into the engine's messages, and nothing more. Card numbers end here. */

export async function takeAuthorization(
  { vault, submit }: DoorServices,
  { program }: Caller,
  body: AuthorizationBody,
): Promise<AuthorizationAnswer> {
  const { card_number, merchant, external_transaction_id: messageId } = body;
  const money = readMoney(body, program.currency);
  refuseNumberIn(program.bin, {
    external_transaction_id: messageId,
    'merchant.id': merchant.id,
    'merchant.name': merchant.name,
    'merchant.city': merchant.city,
  });
  const { id, name, mcc, city, country } = merchant;
  const request: AuthorizationRequest = {
    kind: 'authorization',
    messageId,
    ...money,
    card: await findCard(vault, program.id, card_number),
    expiry: body.expiry,
    cvv: body.cvv === undefined ? undefined : secret(body.cvv),
    channel: body.channel,
    merchant: readMerchant(merchant),
    content: contentIn(
      vault,
      [card_number, body.expiry, body.cvv, body.channel, id, name, mcc, city, country],
      money,
    ),
  };
  return submit(program.id, request);
}

export async function takeReversal(
  { vault, submit }: DoorServices,
  { program }: Caller,
  body: ReversalBody,
): Promise<ReversalAnswer> {
  const { external_transaction_id: externalTransactionId, reversal_id: messageId, bill_amount } = body;
  refuseNumberIn(program.bin, { external_transaction_id: externalTransactionId, reversal_id: messageId });
  const billAmountMinor =
    bill_amount === undefined ? undefined : readDecimal('bill_amount', bill_amount, program.currency);
  if (billAmountMinor === 0n) throw invalid('bill_amount', 'must be greater than 0');
  const content = contentOf(vault, 'reversal', externalTransactionId, String(billAmountMinor));
  const purchase = { externalTransactionId };
  return submit(program.id, { kind: 'reversal', messageId, purchase, billAmountMinor, content });
}

export async function takeClearing(
  { vault, submit }: DoorServices,
  { program }: Caller,
  body: ClearingBody,
): Promise<ClearingAnswer> {
  const {
    external_transaction_id: externalTransactionId,
    clearing_id: messageId,
    card_number,
    final = true,
  } = body;
  const money = readMoney(body, program.currency);
  refuseNumberIn(program.bin, { external_transaction_id: externalTransactionId, clearing_id: messageId });
  const card = await findKnownCard(vault, program.id, card_number);
  const content = contentIn(vault, ['clearing', externalTransactionId, card_number, String(final)], money);
  const purchase = { externalTransactionId };
  return submit(program.id, { kind: 'clearing', messageId, purchase, card, final, ...money, content });
}

export async function takeRefund(
  { vault, submit }: DoorServices,
  { program }: Caller,
  body: RefundBody,
): Promise<RefundAnswer> {
  const { external_transaction_id: externalTransactionId, refund_id: messageId, card_number } = body;
  const money = readMoney(body, program.currency);
  if (money.billAmountMinor === 0n) throw invalid('bill_amount', 'must be greater than 0');
  if (card_number === undefined && externalTransactionId === undefined)
    throw invalid('card_number', 'is needed where external_transaction_id is not given');
  refuseNumberIn(program.bin, { external_transaction_id: externalTransactionId, refund_id: messageId });
  const card = await findKnownCard(vault, program.id, card_number);
  const content = contentIn(vault, ['refund', externalTransactionId, card_number], money);
  const purchase = externalTransactionId === undefined ? undefined : { externalTransactionId };
  return submit(program.id, { kind: 'refund', messageId, purchase, card, ...money, content });
}

/** Undefined for a number that nobody has, and for one of another program: they must not be told apart. */
async function findCard(
  vault: Vault,
  programId: string,
  cardNumber: string,
): Promise<CardReference | undefined> {
  const place = await vault.locateNumber(secret(cardNumber));
  return place?.programId === programId ? place : undefined;
}

async function findKnownCard(
  vault: Vault,
  programId: string,
  cardNumber: string | undefined,
): Promise<CardReference | undefined> {
  if (cardNumber === undefined) return undefined;
  const card = await findCard(vault, programId, cardNumber);
  if (!card) throw invalid('card_number', 'is no card of this program');
  return card;
}

const contentIn = (
  vault: Vault,
  parts: ReadonlyArray<string | undefined>,
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
