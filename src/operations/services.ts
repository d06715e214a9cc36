import type { Database } from '../db/database.ts';
import type { Vault } from '../vault/vault.ts';

export interface QueryServices {
  db: Database;
  vault: Vault;
  /** The names of operators by their ids; those that are not known are left out. */
  operatorNames: (ids: readonly string[]) => Promise<Map<string, string>>;
}
