import type { Tx } from '../../db/database.ts';
import type { AuthenticationFacts } from '../rules/authentication.ts';

/** What the engine needs of `authentications/`, which is on the same floor. */
export interface Authentications {
  findUsable(
    tx: Tx,
    programId: string,
    authenticationIds: readonly string[],
  ): Promise<readonly AuthenticationFacts[]>;
  markUsed(
    tx: Tx,
    programId: string,
    uses: ReadonlyArray<{ authenticationId: string; usedBy: string }>,
  ): void;
}
