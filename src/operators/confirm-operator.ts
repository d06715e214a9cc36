import { EmbossError, invalid } from '../kernel/error.ts';
import { secret } from '../kernel/secret.ts';
import type { Operator } from './operator.ts';
import { checkPassword, type Origin, type SignInServices } from './sign-in.ts';

/** What an operator gives again before something dangerous. */
export interface Confirmation {
  password?: string;
  /** Of the second factor, where the operator has one. */
  code?: string;
}

/** An open session is not enough: the operator proves again who they are. Wrong passwords count as at sign-in. */
export async function confirmOperator(
  services: SignInServices,
  operator: Operator,
  { password }: Confirmation,
  origin: Origin,
): Promise<void> {
  if (password === undefined) throw invalid('password', 'is required: confirm with your password');
  if (!(await checkPassword(services, operator.email, secret(password), origin)))
    throw new EmbossError(400, 'password: is wrong');
}
