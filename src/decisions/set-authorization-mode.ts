import type { Database } from '../db/database.ts';
import { EmbossError } from '../kernel/error.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import type { AuthorizationMode, Program } from '../programs/program.ts';
import { lockProgram } from '../programs/queries.ts';
import { changeProgram, type ProgramChange } from '../programs/update-program.ts';
import { findDecisionEndpoint } from './queries.ts';

/**
 * Changes the mode, and other terms in the same transaction. A mode in which the merchant decides needs the endpoint at
 * which it is requested.
 */
export const setAuthorizationMode = (
  db: Database,
  actor: Actor,
  mode: AuthorizationMode,
  others: ProgramChange = {},
): Promise<Program> =>
  db.transaction(async (tx) => {
    const [program] = await lockFor(tx, actor, lockProgram(tx, actor.program.id));
    if (mode !== 'STANDARD' && !(await findDecisionEndpoint(tx, program.id, 'authorization')))
      throw new EmbossError(
        409,
        `The authorization mode ${mode} needs a decision endpoint; first create one with PUT /api/v1/merchant/decision-endpoints/authorization/`,
      );
    return changeProgram(tx, actor, { ...others, authorizationMode: mode });
  });
