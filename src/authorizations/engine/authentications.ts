import type { Tx } from '../../db/database.ts';
import type { AuthenticationFacts } from '../core/authentication.ts';
import type { Message } from '../core/message.ts';
import type { BatchState } from './batch-state.ts';

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

/** The authentications that the messages name: almost always none. */
export function authenticationIdsOf(items: ReadonlyArray<{ message: Message }>): string[] {
  const ids = new Set<string>();
  for (const { message } of items)
    if (
      message.kind === 'authorization' &&
      message.authentication &&
      'authenticationId' in message.authentication
    )
      ids.add(message.authentication.authenticationId);
  return [...ids];
}

/** Writes which authentications the batch used up. */
export function markUses(
  tx: Tx,
  { markUsed }: Authentications,
  { authentications, changed, setting }: BatchState,
): void {
  if (changed.authentications.size === 0) return;
  const uses = [...changed.authentications].map((authenticationId) => ({
    authenticationId,
    usedBy: authentications.get(authenticationId)?.usedBy as string,
  }));
  markUsed(tx, setting.program.id, uses);
}
