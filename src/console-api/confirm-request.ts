import { invalid } from '../kernel/error.ts';
import type { Operator } from '../operators/operator.ts';
import type { ProofServices } from '../operators/prove.ts';
import { identityOf, secretsOf } from '../operators/routes.ts';
import { confirmOperator } from '../operators/sign-in.ts';

export interface OperatorRequest {
  id: string;
  ip: string;
  getDecorator: <T>(name: string) => T;
}

export const operatorOf = (request: OperatorRequest): Operator => request.getDecorator<Operator>('operator');

/** Requires the operator's password, and a code if there is a second factor, in the body of a dangerous request. */
export async function confirmRequest(services: ProofServices, request: OperatorRequest): Promise<void> {
  const secrets = secretsOf(request);
  if (!secrets.password) throw invalid('password', 'is required: confirm with your password');
  const operator = operatorOf(request);
  await confirmOperator(services, identityOf(operator, request), operator, secrets);
}
