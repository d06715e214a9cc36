import { invalid } from '../kernel/error.ts';
import { isCleanText } from '../kernel/text.ts';

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

/** How the audit names an operator. */
export const operatorActor = (id: string): string => `operator:${id}`;

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const LONGEST_EMAIL = 254;
const LONGEST_NAME = 100;

/** One spelling for each address. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

export function checkEmail(email: string): string {
  const normal = normalizeEmail(email);
  if (!EMAIL.test(normal) || normal.length > LONGEST_EMAIL || !isCleanText(normal))
    throw invalid('email', 'must be an e-mail address');
  return normal;
}

export function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > LONGEST_NAME || !isCleanText(trimmed))
    throw invalid('name', `must be 1 to ${LONGEST_NAME} printable characters`);
  return trimmed;
}
