import { refuseCardNumber } from '../kernel/card-numbers.ts';
import { invalid } from '../kernel/error.ts';
import { isReadableText } from '../kernel/text.ts';

/** From the least to the most: each may do what those before it may. */
export const ROLES = ['viewer', 'support', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export interface Operator {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** Null: all programs. */
  programId: string | null;
  createdAt: Date;
  passwordChangedAt: Date;
  disabledAt: Date | null;
}

/** How the audit names an operator: as they were called when they did it. The address is theirs alone. */
export const operatorActor = ({ name, email }: Pick<Operator, 'name' | 'email'>): string =>
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
