import type { Queryable } from '../db/database.ts';
import type { Secret } from '../kernel/secret.ts';
import { openSecrets, type SecretKeeper, type SecretOwner, signersOf } from '../outbound/signing-secret.ts';

/** All secrets that sign now, newest first. */
export type SecretsOf = (owner: SecretOwner, realNowMs: number) => Promise<Secret[]>;

/** Keeps opened secrets by their ids, so that a decision request needs no database. A secret never changes under its id. */
export function cacheSecrets(keeper: SecretKeeper, db: Queryable, mostOwners = 1_000): SecretsOf {
  const opened = new Map<string, Promise<Secret[]>>();
  return (owner, realNowMs) => {
    const ids = signersOf(owner, realNowMs).join(' ');
    const known = opened.get(ids);
    if (known) return known;
    if (opened.size >= mostOwners) opened.delete(opened.keys().next().value as string);
    const opening = openSecrets(keeper, db, owner, realNowMs);
    opened.set(ids, opening);
    opening.catch(() => opened.delete(ids));
    return opening;
  };
}
