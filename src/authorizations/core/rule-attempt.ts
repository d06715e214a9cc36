import type { CardFacts } from '../../cards/card-facts.ts';
import type { NetworkData } from '../../cards/network-data.ts';
import { merchantKey } from '../../cards/usage.ts';
import { timeOf } from '../../kernel/ids.ts';
import type { Attempt } from '../../rules/attempt.ts';
import type { ProgramRules } from '../../rules/rule.ts';
import type { Setting } from './effects.ts';
import type { TransactionRecord } from './transaction.ts';

/** What rules see of a purchase. */
export type Attempted = Pick<TransactionRecord, 'acceptor' | 'channel' | 'type' | 'cvvGiven'> & {
  authentication: Pick<NonNullable<TransactionRecord['authentication']>, 'reason'> | null;
};

/** What rules see of a card. */
export type AttemptCard = Pick<CardFacts, 'cardId' | 'cardType' | 'designId' | 'metadata' | 'cardholderId'>;

/** The message of an attempt, or what its purchase knows of it. */
export interface Asked {
  billAmountMinor: bigint;
  currency: string;
  network: NetworkData | null;
}

/** What rules see of an attempt. `purchase`: as it would be if it were approved. */
export function attemptOf(
  { billAmountMinor, currency, network }: Asked,
  purchase: Attempted,
  card: AttemptCard,
  { program, nowMs }: Setting,
  { customerKeyOf }: ProgramRules,
): Attempt {
  const { acceptor, channel, type, authentication, cvvGiven } = purchase;
  return {
    atMs: nowMs,
    billAmountMinor,
    currency,
    programCurrency: program.currency,
    country: acceptor?.country ?? null,
    mcc: acceptor?.mcc ?? null,
    channel,
    type: type ?? 'PURCHASE',
    merchantId: acceptor ? merchantKey(acceptor.id) : null,
    merchantName: acceptor?.name ?? null,
    // Null: a word that we do not know.
    initiator: network?.initiator === undefined ? 'CARDHOLDER' : network.initiator,
    recurring: network?.recurring ?? null,
    entryMode: network?.entry_mode ?? null,
    authenticated: authentication?.reason === null,
    cvvGiven,
    card: {
      id: card.cardId,
      type: card.cardType,
      createdAtMs: timeOf(card.cardId),
      designId: card.designId,
      metadata: card.metadata,
    },
    customerKey: customerKeyOf(card.cardholderId),
  };
}
