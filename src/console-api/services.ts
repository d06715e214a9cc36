import type { Database } from '../db/database.ts';
import type { Vault } from '../vault/vault.ts';

export interface QueryServices {
  db: Database;
  vault: Vault;
}
