import { withNewer } from '../../cards/network-data.ts';
import type { Day } from '../../kernel/calendar.ts';
import { parseAmount } from '../../kernel/money.ts';
import type { Attempted } from '../core/rule-attempt.ts';
import { type TransactionRecord, takenOf } from '../core/transaction.ts';
import type { PastEvent } from './queries.ts';

/** What is known of a transaction after some of its events, as far as rules and what they count need it. */
export interface Past
  extends Attempted,
    Pick<
      TransactionRecord,
      | 'id'
      | 'cardId'
      | 'kind'
      | 'currency'
      | 'network'
      | 'heldMinor'
      | 'clearedMinor'
      | 'fxClearedMinor'
      | 'billAmountMinor'
      | 'approvedOn'
      | 'counted'
      | 'final'
    > {
  /** Its clearings, less what was reversed. */
  clearings: readonly PastClearing[];
  /** The rule would have declined it. */
  isDeclined: boolean;
}

export interface PastClearing {
  id: string;
  /** On which it counted. */
  day: Day;
  final: boolean;
  openMinor: bigint;
}

/** A transaction before its first message. One literal, because a backtest makes millions of them. */
export const newPast = (event: PastEvent): Past => ({
  id: event.transactionId,
  cardId: event.cardId,
  kind: event.kind,
  currency: event.currency,
  acceptor: null,
  channel: null,
  type: null,
  cvvGiven: false,
  authentication: null,
  network: null,
  heldMinor: 0n,
  clearedMinor: 0n,
  fxClearedMinor: 0n,
  billAmountMinor: 0n,
  approvedOn: null,
  counted: [],
  final: false,
  clearings: [],
  isDeclined: false,
});

const AUTHENTICATED = { reason: null };
export const authenticationOf = ({ authenticated }: PastEvent): Past['authentication'] =>
  authenticated ? AUTHENTICATED : null;

/** With what the event says of its origin. */
export const withOrigin = (past: Past, { channel, merchant, network }: PastEvent): Past => ({
  ...past,
  channel,
  acceptor: merchant,
  network: withNewer(past.network, network),
});

/** With what an authorization says beside it. */
export const withAuthorization = (past: Past, event: PastEvent): Past => ({
  ...withOrigin(past, event),
  type: event.type,
  cvvGiven: event.cvvGiven ?? false,
  authentication: authenticationOf(event),
});

/** A program has one currency, and events are written by us. */
export const minorOf = (amount: string, currency: string): bigint => parseAmount(amount, currency) ?? 0n;

/** What is held after an event: the amount with which the purchase, with its fees, takes what the event says. */
export function heldAfter(past: Past, event: PastEvent, billCurrency: string): bigint {
  const takenMinor = minorOf(event.takenAmount, billCurrency);
  const { currency, clearedMinor, fxClearedMinor } = past;
  const { fxFeeBps, atmFeeMinor } = event;
  // The more is held, the more is taken.
  let [low, high] = [0n, takenMinor > clearedMinor ? takenMinor - clearedMinor : 0n];
  if (fxFeeBps === 0 && atmFeeMinor === 0n) return high;
  const terms = { currency, billCurrency, fxFeeBps, atmFeeMinor, clearedMinor, fxClearedMinor };
  const takenWith = (heldMinor: bigint) => takenOf({ ...terms, heldMinor });
  while (low < high) {
    const middle = (low + high) / 2n;
    if (takenWith(middle) < takenMinor) low = middle + 1n;
    else high = middle;
  }
  return low;
}
