import type { CardFacts } from '../../cards/card-facts.ts';
import type { NetworkData } from '../../cards/network-data.ts';
import type { AuthorizationDecisionRequest, BalanceDecisionRequest } from '../../decisions/decision.ts';
import { derivedId } from '../../kernel/ids.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { AuthorizationMode } from '../../programs/program.ts';
import { proofView } from './authentication.ts';
import type { AuthorizationType } from './authorization-type.ts';
import type { Setting } from './effects.ts';
import type { Money } from './message.ts';
import type { Fees, TransactionRecord } from './transaction.ts';

/** Every guard passes. Only the merchant's decision is missing: the message has no effect without it. */
export interface DecisionNeeded {
  kind: 'decisionNeeded';
  mode: AuthorizationMode;
  cardId: string;
  /** An authentication counts for the purchase. */
  authenticated: boolean;
  request: AuthorizationDecisionRequest | BalanceDecisionRequest;
}

export const isDecisionNeeded = (result: object): result is DecisionNeeded =>
  'kind' in result && result.kind === 'decisionNeeded';

interface Subject extends Money {
  messageId: string;
  type: AuthorizationType;
  partialApproval: boolean;
  network: NetworkData | null;
  /** Of an increment. */
  incrementId?: string;
}

/** The request holds no name and no card number. The engine adds the customer's id and the time limit. */
export function needDecision(
  { messageId, type, amountMinor, currency, billAmountMinor, partialApproval, network, incrementId }: Subject,
  card: CardFacts,
  purchase: TransactionRecord,
  { fees, heldMinor }: { fees: Fees; heldMinor: bigint },
  { program, nowMs }: Setting,
): DecisionNeeded {
  const { billCurrency, externalTransactionId, authorizationMode, channel, acceptor } = purchase;
  const bill = (minor: bigint) => formatAmount(minor, billCurrency);
  return {
    kind: 'decisionNeeded',
    mode: authorizationMode,
    cardId: card.cardId,
    authenticated: purchase.authentication?.reason === null,
    request: {
      eventId: derivedId(program.id, incrementId === undefined ? 'authorization' : 'increment', messageId),
      createdAt: new Date(nowMs),
      kind: 'authorization',
      amountMinor: billAmountMinor,
      currency: billCurrency,
      partialAllowed: partialApproval,
      data: {
        external_transaction_id: externalTransactionId,
        ...(incrementId !== undefined && { increment_id: incrementId }),
        card_id: card.cardId,
        card_metadata: card.metadata ?? {},
        type,
        amount: formatAmount(amountMinor, currency),
        currency,
        bill_amount: bill(billAmountMinor),
        bill_currency: billCurrency,
        fx_fee: bill(fees.fxMinor),
        atm_fee: bill(fees.atmMinor),
        hold_amount: bill(heldMinor),
        channel,
        merchant: acceptor,
        partial_approval_allowed: partialApproval,
        authentication: purchase.authentication && proofView(purchase.authentication),
        network,
        rules: purchase.rules ?? [],
        available_credit: bill(card.availableMinor),
      },
    },
  };
}

/** The request for the balance that an inquiry shows. An authentication counts for nothing: nothing is bought. */
export const needBalance = (
  { messageId, type, network }: Pick<Subject, 'messageId' | 'type' | 'network'>,
  { cardId, availableMinor, metadata }: CardFacts,
  { billCurrency, authorizationMode, channel, acceptor, authentication, rules }: TransactionRecord,
  { program, nowMs }: Setting,
): DecisionNeeded => ({
  kind: 'decisionNeeded',
  mode: authorizationMode,
  cardId,
  authenticated: false,
  request: {
    // Not that of an authorization: the answers differ.
    eventId: derivedId(program.id, 'balance', messageId),
    createdAt: new Date(nowMs),
    kind: 'balance',
    currency: billCurrency,
    data: {
      external_transaction_id: messageId,
      card_id: cardId,
      card_metadata: metadata ?? {},
      type,
      bill_currency: billCurrency,
      channel,
      merchant: acceptor,
      authentication: authentication && proofView(authentication),
      network,
      rules: rules ?? [],
      available_credit: formatAmount(availableMinor, billCurrency),
    },
  },
});
