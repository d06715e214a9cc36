import { refuseCardNumber } from '../kernel/card-numbers.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { isReadableText } from '../kernel/text.ts';
import { isAtLeast, type Role } from '../programs/access.ts';

export interface Operator {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** Null: all programs. */
  programId: string | null;
  createdAt: Date;
  passwordChangedAt: Date;
  /** The password was generated, or set by another person: the operator must change it before anything else. */
  mustChangePassword: boolean;
  /** The vault record of the second factor; null without one. */
  secondFactorId: string | null;
  disabledAt: Date | null;
  /** The person at an OpenID provider; null if the account is not linked to one. */
  openidIssuer: string | null;
  openidSubject: string | null;
  /** False: the person signs in with OpenID only. */
  hasPassword: boolean;
  lastSignedInAt: Date | null;
}

/** Operators who need a second factor: managers and administrators, in live programs or in all; all operators; none. */
export const SECOND_FACTOR_RULES = ['live-managers', 'managers', 'all', 'off'] as const;
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number];

/**
 * Whether an operator must set up a second factor before working in a program of this mode. For people without a password
 * the second factor is a matter of the OpenID provider.
 */
export function lacksSecondFactor(
  rule: SecondFactorRule,
  { role, secondFactorId, hasPassword }: Pick<Operator, 'role' | 'secondFactorId' | 'hasPassword'>,
  mode: 'sandbox' | 'live',
): boolean {
  if (secondFactorId !== null || !hasPassword || rule === 'off') return false;
  if (rule === 'all') return true;
  return isAtLeast(role, 'manager') && (rule === 'managers' || mode === 'live');
}

export function requireChangedPassword({ mustChangePassword }: Pick<Operator, 'mustChangePassword'>): void {
  if (mustChangePassword)
    throw new EmbossError(403, 'Change your password first: it was set by another person');
}

/** Requires a password that the operator chose, and a second factor if the rule demands one. */
export function requireReady(
  rule: SecondFactorRule,
  operator: Pick<Operator, 'role' | 'secondFactorId' | 'hasPassword' | 'mustChangePassword'>,
  mode: 'sandbox' | 'live',
): void {
  requireChangedPassword(operator);
  if (lacksSecondFactor(rule, operator, mode))
    throw new EmbossError(403, 'Set up a second factor first, on your account page');
}

/** The operator's name in the audit, as it is at the time of the entry. No two operators share an address. */
export const actorName = ({ name, email }: Pick<Operator, 'name' | 'email'>): string =>
  `operator:${name} <${email}>`;

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const LONGEST_EMAIL = 254;
const LONGEST_NAME = 100;

/** One spelling for each address. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

export function checkEmail(email: string): string {
  const normal = normalizeEmail(email);
  if (!EMAIL.test(normal) || normal.length > LONGEST_EMAIL || !isReadableText(normal))
    throw invalid('email', 'must be an e-mail address');
  refuseCardNumber('email', normal);
  return normal;
}

/** `<` and `>` would end the name in the audit, which shows `name <address>`. */
export function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > LONGEST_NAME || !isReadableText(trimmed) || /[<>]/.test(trimmed))
    throw invalid('name', `must be 1 to ${LONGEST_NAME} printable characters`);
  refuseCardNumber('name', trimmed);
  return trimmed;
}
