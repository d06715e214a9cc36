import { EmbossError, invalid } from '../kernel/error.ts';
import { isConfirmed } from '../operators/openid/confirmation.ts';
import type { Operator } from '../operators/operator.ts';
import type { ProofServices } from '../operators/prove.ts';
import { identityOf, secretsOf } from '../operators/routes.ts';
import type { SessionCookies } from '../operators/session-cookie.ts';
import { confirmOperator } from '../operators/sign-in.ts';

/** With the cookies that a person without a password confirms with. */
export type ConfirmServices = ProofServices & { cookies: SessionCookies };

export interface OperatorRequest {
  headers: { cookie?: string | undefined };
  id: string;
  ip: string;
  getDecorator: <T>(name: string) => T;
}

export const operatorOf = (request: OperatorRequest): Operator => request.getDecorator<Operator>('operator');

/**
 * Requires the operator's password, and a code if there is a second factor, in the body of a dangerous request. Who has no
 * password must have signed in again at the OpenID provider a short time ago.
 */
export async function confirmRequest(services: ConfirmServices, request: OperatorRequest): Promise<void> {
  const secrets = secretsOf(request);
  const operator = operatorOf(request);
  if (!operator.hasPassword) return requireConfirmation(services, request);
  if (!secrets.password) throw invalid('password', 'is required: confirm with your password');
  await confirmOperator(services, identityOf(operator, request), operator, secrets);
}

async function requireConfirmation(
  { digest, cookies }: ConfirmServices,
  request: OperatorRequest,
): Promise<void> {
  await digest.refresh();
  if (!isConfirmed(digest, cookies.session.read(request), cookies.confirmation.read(request)))
    throw new EmbossError(400, 'Confirm first: sign in again at your sign-in provider');
}
