import type { AuditDetails } from '../audit/audit.ts';
import type { App } from '../http/server.ts';
import { SCOPES, type Scope } from './program.ts';

/** What an operator may do, from the least to the most: each may do what those before it may. */
export const ROLES = ['viewer', 'support', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Who may use a route, and what the audit gets of it: in the `config` of every route of the merchant and console APIs. */
export interface Access {
  /** What a merchant key needs. */
  scope?: Scope;
  /** What an operator needs at the console. */
  role?: Role;
  /** The entry that the console API writes before the handler runs, for an operation that leaves none by itself. */
  audit?: {
    action: `console.${string}`;
    /** Of the path, the query and the body. Never a whole body, which may hold a CVV. */
    fields?: readonly string[];
  };
  /** The entry that the console API writes of what an operator is shown, before the answer leaves. */
  auditView?: (answer: never, query: never) => AuditDetails & { action: `console.${string}` };
}

/** Refuses to register a route that does not say which scope or role it needs. Call it before routes are added. */
export function requireAccess(app: App, needed: 'scope' | 'role'): void {
  const known: readonly unknown[] = needed === 'scope' ? SCOPES : ROLES;
  app.addHook('onRoute', ({ method, url, config = {} }) => {
    if (!known.includes((config as Access)[needed]))
      throw new Error(`${method} ${url}: config.${needed} must be one of ${known.join(', ')}`);
  });
}

export const accessOf = ({ routeOptions }: { routeOptions: { config: unknown } }): Access =>
  routeOptions.config as Access;
