import type { ConsoleAction } from '../audit/actions.ts';
import type { AuditDetails } from '../audit/audit.ts';
import { type Routed, routeOf } from '../http/route-of.ts';
import type { App } from '../http/server.ts';
import { SCOPES, type Scope } from './program.ts';

/** The roles of operators in ascending order: each role includes the permissions of the roles before it. */
export const ROLES = ['viewer', 'support', 'manager', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** The permission and the audit entry of a route: in the `config` of every route of the merchant and console APIs. */
export interface Access {
  /** The scope that a merchant key needs. */
  scope?: Scope<'merchant'>;
  /** The role that an operator needs in the console. */
  role?: Role;
  /** If the role depends on the path: `role` is the lowest, and this one is required. */
  roleFor?: (params: Record<string, string>) => Role;
  /** The route acts on the whole installation if the operator has all programs; `by chain`: if the query's `chain` says so. */
  installation?: 'always' | 'by chain';
  /** The entry that the console API writes before the handler runs, for an operation that writes none itself. */
  audit?: {
    action: ConsoleAction;
    /** Fields of the path, the query and the body to record. Never a whole body, which may contain a CVV. */
    fields?: readonly string[];
    /** For exports: written right before the answer is sent, and only for a GET that is not refused. */
    ifAnswered?: true;
  };
  /** The entry about data shown to an operator, or null. The console API writes it before it sends the answer. */
  auditView?: (answer: never, query: never) => (AuditDetails & { action: ConsoleAction }) | null;
}

/** Refuses to register a route without the scope or role that it needs. Call it before routes are added. */
export function requireAccess(app: App, needed: 'scope' | 'role'): void {
  const known: readonly unknown[] = needed === 'scope' ? SCOPES.merchant : ROLES;
  app.addHook('onRoute', ({ method, url, config = {} }) => {
    if (!known.includes((config as Access)[needed]))
      throw new Error(`${method} ${url}: config.${needed} must be one of ${known.join(', ')}`);
  });
}

export const accessOf = (request: Routed): Access => routeOf(request).config as Access;
