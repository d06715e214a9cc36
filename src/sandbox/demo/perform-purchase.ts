import {
  type CardReference,
  type ClearingRequest,
  type Content,
  contentOf,
  type RefundRequest,
  type ReversalRequest,
} from '../../authorizations/rules/message.ts';
import { credentialRef } from '../../cards/card.ts';
import { findCard } from '../../cards/queries.ts';
import { type Secret, secret } from '../../kernel/secret.ts';
import type { Money, Of, Shown } from './action.ts';
import { type Stage, type Wallet, walletOf } from './stage.ts';

/** No CVV of ours has four digits, so that this one is wrong for every card. */
const WRONG_CVV = secret('0000');
const WRONG_EXPIRY = '2001-01';

export async function performAuthorize(stage: Stage, action: Of<'authorize'>): Promise<void> {
  const { lane, purchase, merchant, channel, shown, money } = action;
  const wallet = walletOf(stage, lane);
  const answer = await stage.services.submit(stage.programId, {
    kind: 'authorization',
    messageId: purchase,
    card: cardShown(wallet, shown),
    expiry: shown === 'wrong expiry' ? WRONG_EXPIRY : undefined,
    cvv: await cvvShown(stage, wallet, shown),
    channel,
    merchant,
    ...money,
    content: contentIn(stage, purchase, money),
  });
  stage.count(answer.approved ? 'approval' : `decline: ${answer.decline_reason}`);
  if (answer.approved && answer.transaction_id) stage.transactionIds.set(purchase, answer.transaction_id);
}

export const performClear = (stage: Stage, { purchase, part, final, money }: Of<'clear'>): Promise<void> => {
  const messageId = `${purchase}-clearing-${part}`;
  const content = contentIn(stage, messageId, money);
  return sendSequel(stage, purchase, {
    kind: 'clearing',
    messageId,
    card: undefined,
    final,
    ...money,
    content,
  });
};

export const performReverse = (stage: Stage, { purchase, billAmountMinor }: Of<'reverse'>): Promise<void> => {
  const messageId = `${purchase}-reversal`;
  const content = contentIn(stage, messageId, undefined);
  return sendSequel(stage, purchase, { kind: 'reversal', messageId, billAmountMinor, content });
};

export const performRefund = (stage: Stage, { purchase, why, money }: Of<'refund'>): Promise<void> => {
  const messageId = `${purchase}-${why}`;
  const content = contentIn(stage, messageId, money);
  return sendSequel(stage, purchase, { kind: 'refund', messageId, card: undefined, ...money, content });
};

/** The worker would let the hold go by itself; here its time is over much sooner than a worker's round. */
export async function performExpire(stage: Stage, { purchase }: Of<'expire'>): Promise<void> {
  const transactionId = stage.transactionIds.get(purchase);
  if (!transactionId) return;
  stage.count('expiry');
  await stage.services.submit(stage.programId, { kind: 'expiry', purchase: { transactionId } });
}

type Sequel =
  | Omit<ClearingRequest, 'purchase'>
  | Omit<ReversalRequest, 'purchase'>
  | Omit<RefundRequest, 'purchase'>;

/** What was declined has no sequel. */
async function sendSequel(stage: Stage, purchase: string, message: Sequel): Promise<void> {
  if (!stage.transactionIds.has(purchase)) return;
  stage.count(message.kind);
  const of = { purchase: { externalTransactionId: purchase } };
  await stage.services.submit(stage.programId, { ...message, ...of });
}

function cardShown({ cardId, lostCardId, oldNumberId }: Wallet, shown: Shown | undefined): CardReference {
  if (shown === 'lost card') return { cardId: lostCardId ?? cardId, numberId: undefined };
  return { cardId, numberId: shown === 'old number' ? oldNumberId : undefined };
}

async function cvvShown(
  { services: { db, vault }, programId }: Stage,
  { cardId }: Wallet,
  shown: Shown | undefined,
): Promise<Secret | undefined> {
  if (shown === 'wrong CVV') return WRONG_CVV;
  const card = shown === 'right CVV' && (await findCard(db, programId, cardId));
  return card ? (await vault.revealCredential(db, credentialRef(card))).cvv : undefined;
}

const contentIn = ({ services: { vault } }: Stage, messageId: string, money: Money | undefined): Content =>
  contentOf(vault, 'demo', messageId, String(money?.amountMinor), String(money?.billAmountMinor));
