import { readFile } from 'node:fs/promises';
import { EmbossError } from '../kernel/error.ts';
import type { Actor } from '../programs/actor.ts';
import type { PresentedRule } from '../rules/present-rule.ts';
import { type ReadServices, retrieveRule } from '../rules/read-rules.ts';
import { openVault } from '../vault/vault.ts';
import { missing } from './failure.ts';
import { selectActor } from './select.ts';
import type { Session } from './session.ts';
import type { Output } from './terminal.ts';

/** Opens the services for the selected program. */
export const run = (
  session: Session,
  program: string | undefined,
  work: (services: ReadServices, actor: Actor) => Promise<Output>,
): Promise<void> =>
  session.run(async ({ db, logger, masters }) => {
    const keeper = await openVault(db, masters);
    const onError = (error: unknown) => logger.warn({ err: error }, 'a count could not be updated');
    return work({ db, keeper, onError }, await selectActor(db, program));
  });

export async function requireOne(
  services: Pick<ReadServices, 'db' | 'keeper'>,
  actor: Actor,
  id: string,
): Promise<PresentedRule> {
  try {
    return await retrieveRule(services, actor, id);
  } catch (error) {
    if (error instanceof EmbossError && error.httpStatus === 404)
      throw missing(`rule "${id}"`, 'see "emboss rule list"');
    throw error;
  }
}

export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new EmbossError(400, `${file}: must be JSON`);
  }
}
