import type { Role } from '../../programs/access.ts';

/** What a value of the provider's claim gives: a role, in one program or in all. */
export interface Grant {
  role: Role;
  /** Null: all programs. */
  programId: string | null;
}

const MOST_VALUES = 1_000;

/** The first entry of the settings whose value the person has; undefined if there is none. */
export function grantOf(grants: ReadonlyMap<string, Grant>, claim: unknown): Grant | undefined {
  const values = new Set(valuesOf(claim));
  return [...grants].find(([value]) => values.has(value))?.[1];
}

const valuesOf = (claim: unknown): string[] =>
  [claim]
    .flat()
    .slice(0, MOST_VALUES)
    .filter((value): value is string => typeof value === 'string');

/** A claim by its name, or by the way to it: `roles`, `realm_access.roles`. Names with dots come first: some are URLs. */
export function claimAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return found;
}
