import type { Operator } from '../operator.ts';

/** Why the provider's answer does not sign a person in, as the audit and the console's address name it. */
export type Refusal =
  | 'expired'
  | 'throttled'
  | 'provider'
  | 'cancelled'
  | 'no role'
  | 'unknown'
  | 'unverified'
  | 'taken'
  | 'invitation'
  | 'disabled'
  | 'other person'
  | 'not again';

export interface RefusedFlow {
  kind: 'refused';
  reason: Refusal;
  operator: Operator | undefined;
}

export const refused = (reason: Refusal, operator?: Operator): RefusedFlow => ({
  kind: 'refused',
  reason,
  operator,
});
