import type { CardFacts } from '../../cards/card-facts.ts';
import { addWrongEntry, isGuessed, suspectedFraud } from '../../cards/wrong-entries.ts';
import { type Decision, reasonsBefore } from './decide.ts';
import type { DeclineReason } from './decline.ts';

const CVVS_TO_BLOCK = 3;

/** A decline by one of these guards says nothing about the CVV, which is checked after them. */
const BEFORE_CVV = reasonsBefore('cvv_mismatch');
const WRONG_ENTRY: readonly DeclineReason[] = ['expiry_mismatch', 'cvv_mismatch'];

/**
 * Returns the card after its expiry date and CVV were checked. Three wrong CVVs in a row block it: a right CVV resets
 * the count, a request without one does not change it. Ten wrong expiry dates or CVVs within 24 hours block it too, and
 * a right entry resets none of them. The card stores the time of each, so that the 24 hours are a sliding window.
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
  const counted = { ...card, wrongCvvs, wrongEntries: addWrongEntry(card.wrongEntries, nowMs) };
  if (wrongCvvs >= CVVS_TO_BLOCK) return { ...counted, ...suspectedFraud('cvv attempts') };
  return isGuessed(counted.wrongEntries) ? { ...counted, ...suspectedFraud('guessing') } : counted;
}
