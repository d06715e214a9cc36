import type { Card, Decline, Role, SpendControls } from '../../lib/types.ts';
import { RAISABLE, type RaisableLimit } from './words.ts';

export type Remedy =
  | { dialog: 'raise'; limit: RaisableLimit; label: string; role: Role }
  | { dialog: 'controls' | 'usage' | 'adjust' | 'freeze' | 'reissue' | 'replace'; label: string; role: Role };

const USAGE_REASONS: Array<Decline['reason']> = ['card_not_valid_now', 'card_used', 'merchant_locked'];

const raisable = (name: string | undefined): RaisableLimit | undefined =>
  RAISABLE.find((limit) => limit === name);

export type CardState = Pick<Card, 'status'> & {
  replacedBy?: string | null;
  spendControls?: SpendControls;
};

/** What an operator can do on the card about a decline, as the card is now; undefined: nothing. */
export function remedyOf(
  { reason, limits }: Decline,
  { status, replacedBy, spendControls }: CardState,
): Remedy | undefined {
  if (status === 'BLOCKED')
    return reason === 'card_blocked' && !replacedBy
      ? { dialog: 'replace', label: 'Issue replacement', role: 'manager' }
      : undefined;
  if (reason === 'card_frozen')
    return status === 'FROZEN' ? { dialog: 'freeze', label: 'Unfreeze', role: 'support' } : undefined;
  if (reason === 'card_expired')
    return status === 'EXPIRED' ? { dialog: 'reissue', label: 'Reissue', role: 'support' } : undefined;
  if (reason === 'insufficient_funds') return { dialog: 'adjust', label: 'Adjust balance', role: 'manager' };
  if (reason === 'merchant_category_not_allowed')
    return { dialog: 'controls', label: 'Change controls', role: 'manager' };
  if (USAGE_REASONS.includes(reason)) return { dialog: 'usage', label: 'Change usage', role: 'manager' };
  // A limit that was removed since stops no further purchase.
  if (limits?.limit && spendControls?.[limits.limit] === null) return undefined;
  const limit = raisable(limits?.limit);
  if (limit) return { dialog: 'raise', limit, label: 'Raise limit', role: 'support' };
  return limits?.limit ? { dialog: 'controls', label: 'Change limits', role: 'manager' } : undefined;
}
