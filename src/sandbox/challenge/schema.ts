import { Type } from 'typebox';
import { AuthenticationView } from '../../authentications/schema.ts';
import { nullable } from '../../http/schemas.ts';

const { status, method, reason, destination, attempts_left, sends_left } = AuthenticationView.properties;

export const ChallengePath = Type.Object({ id: Type.String() });

/** What the page shows. */
export const ChallengeView = Type.Object({
  status,
  method,
  reason,
  destination,
  attempts_left,
  sends_left,
  merchant_name: nullable(Type.String()),
  /** For people, with the currency. */
  amount: Type.String(),
  last_four: Type.String(),
});
