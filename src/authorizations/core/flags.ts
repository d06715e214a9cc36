import type { CardFacts } from '../../cards/card-facts.ts';
import type { Program } from '../../programs/program.ts';
import { FLAGS, type Flag } from './flag.ts';
import type { ClearingRequest } from './message.ts';
import { openOf, type Presentment } from './presentment.ts';
import type { TransactionRecord } from './transaction.ts';

/** Restaurants, hotels and car rental: tips and extras are added after the authorization. */
const MORE_PERCENT = { '5812': 25, '7011': 25, '7512': 25 } as Record<string, number | undefined>;
/** At a fuel pump, the amount is known only after the authorization. */
const FUEL = '5542';

/** The flags of a clearing, by the purchase before and after it. */
export function flagsOf(
  before: TransactionRecord,
  after: TransactionRecord,
  { card, isDuplicate }: { card: CardFacts; isDuplicate: boolean },
  { overHoldPercent }: Program,
): Flag[] {
  const { approvedOn, approvalCode, billAmountMinor, holdEnd } = before;
  // An account check approves nothing.
  const isApproved = approvedOn !== null && approvalCode !== null && billAmountMinor > 0n;
  const holds: Record<Flag, boolean> = {
    no_authorization: !isApproved || holdEnd === 'reversed',
    over_hold: isApproved && isOver(after, overHoldPercent),
    late: holdEnd === 'expired',
    after_block: card.status === 'BLOCKED',
    duplicate: isDuplicate,
  };
  return FLAGS.filter((flag) => holds[flag]);
}

function isOver(
  { acceptor, clearedMinor, billAmountMinor }: TransactionRecord,
  programPercent: number,
): boolean {
  const mcc = acceptor?.mcc ?? '';
  const percent = BigInt(Math.max(programPercent, MORE_PERCENT[mcc] ?? 0));
  return mcc !== FUEL && clearedMinor * 100n > billAmountMinor * (100n + percent);
}

export const withFlags = (known: readonly Flag[], given: readonly Flag[]): Flag[] => [
  ...new Set([...known, ...given]),
];

/** Of a clearing whose authorization has come. */
export const authorizedFlags = (flags: readonly Flag[]): Flag[] =>
  flags.filter((flag) => flag !== 'no_authorization');

/**
 * Another clearing of the same money under another id, of which something is left: same card, same reference of the
 * acquirer, same amount.
 */
export const isSamePresentment = (
  known: Presentment,
  { messageId, network, amountMinor, currency }: ClearingRequest,
  cardId: string,
): boolean =>
  known.messageId !== messageId &&
  openOf(known) > 0n &&
  known.arn === network?.arn &&
  known.cardId === cardId &&
  known.amountMinor === amountMinor &&
  known.currency === currency;
