import type { CardFacts } from './card-facts.ts';
import type { Decision } from './decide.ts';
import type { DeclineReason } from './decline.ts';

const CVVS_TO_BLOCK = 3;
const ENTRIES_TO_BLOCK = 10;
const WINDOW_MS = 24 * 3_600_000;

/** Declined before the CVV was compared: such a decline says nothing about it. */
const BEFORE_CVV: readonly DeclineReason[] = [
  'invalid_card_number',
  'card_blocked',
  'card_frozen',
  'card_expired',
  'expiry_mismatch',
];
const WRONG_ENTRY: readonly DeclineReason[] = ['expiry_mismatch', 'cvv_mismatch'];

/**
 * The card after its expiry date and CVV were compared. Three wrong CVVs in a row block it: a right one ends the row, a
 * request without one leaves it. Ten wrong expiry dates or CVVs within 24 hours block it too, and a right one takes
 * none of them back. The times of the last ones are kept, so that the 24 hours slide and have no edge to wait for.
 */
export function countWrongEntries(
  card: CardFacts,
  cvvMatches: boolean | undefined,
  decision: Decision,
  nowMs: number,
): CardFacts {
  const reason = decision.approved ? undefined : decision.reason;
  if (!reason || !WRONG_ENTRY.includes(reason)) {
    const isRight = cvvMatches && !(reason && BEFORE_CVV.includes(reason));
    return isRight && card.wrongCvvs > 0 ? { ...card, wrongCvvs: 0 } : card;
  }
  const wrongCvvs = reason === 'cvv_mismatch' ? card.wrongCvvs + 1 : card.wrongCvvs;
  const recent = card.wrongEntries.filter((at) => at.getTime() >= nowMs - WINDOW_MS);
  const counted = { ...card, wrongCvvs, wrongEntries: [...recent, new Date(nowMs)] };
  if (wrongCvvs >= CVVS_TO_BLOCK) return blocked(counted, 'fraud suspected: cvv attempts');
  if (counted.wrongEntries.length >= ENTRIES_TO_BLOCK) return blocked(counted, 'fraud suspected: guessing');
  return counted;
}

const blocked = (card: CardFacts, statusReason: string): CardFacts => ({
  ...card,
  status: 'BLOCKED',
  statusReason,
});
