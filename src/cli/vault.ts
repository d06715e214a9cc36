import { type Command, Option } from 'commander';
import type { Runtime } from '../runtime.ts';
import { inspectKeys, type KeyState } from '../vault/keyring.ts';
import {
  PURPOSES,
  type Purpose,
  type RotationResult,
  retireKeys,
  rewrapKeys,
  rotateKeys,
} from '../vault/rotate-keys.ts';
import { keyUses } from './key-uses.ts';
import { cliIdentity, type Session } from './session.ts';
import { moment, type Output, type Terminal, table } from './terminal.ts';

const purposeOption = () =>
  new Option('--purpose <purpose>', 'only this key (default: all)').choices(PURPOSES);

export function vaultCommands(emboss: Command, session: Session): void {
  const group = emboss.command('vault').description('Keys of the vault');
  group
    .command('status')
    .alias('keys')
    .description(
      'List the data keys: their age, their state, which master key opens them, what needs old ones',
    )
    .action(() => session.run(async (runtime) => status(session.terminal, await keysInUse(runtime))));
  group
    .command('rotate')
    .description(
      'Make new data keys and bring the vault under them, while servers run; run it again after an interruption',
    )
    .addOption(purposeOption())
    .action(({ purpose }) =>
      session.run((runtime) =>
        eachPurpose(session, purpose, (each, onProgress) =>
          rotateKeys(runtime.db, runtime.masters, each, { onProgress, actor: cliIdentity() }),
        ),
      ),
    );
  group
    .command('retire')
    .description(
      'Renew stragglers, then destroy the data keys that were replaced over 25 hours ago, unless something needs them',
    )
    .addOption(purposeOption())
    .option(
      '--force',
      'revoke API keys, and disable operators, that were not used since the digest key was replaced',
    )
    .action(({ purpose, force }) =>
      session.run(async (runtime) => {
        const uses = await keyUses(runtime);
        return eachPurpose(session, purpose, (each, onProgress) =>
          retireKeys(runtime.db, runtime.masters, each, {
            use: uses[each],
            force,
            onProgress,
            actor: cliIdentity(),
          }),
        );
      }),
    );
  group
    .command('rewrap')
    .description(
      'Change the master key: wrap the data keys under EMBOSS_MASTER_KEY, opening them with EMBOSS_MASTER_KEY_PREVIOUS. Give every server both keys first',
    )
    .action(() =>
      session.run(async ({ db, masters }) => {
        const rewrapped = await rewrapKeys(db, masters, cliIdentity());
        const text =
          rewrapped === 0
            ? 'Every data key is under EMBOSS_MASTER_KEY already.'
            : `Wrapped ${rewrapped} data keys under EMBOSS_MASTER_KEY. EMBOSS_MASTER_KEY_PREVIOUS can go now.`;
        return { json: { rewrapped }, text };
      }),
    );
}

async function eachPurpose(
  session: Session,
  only: Purpose | undefined,
  rotate: (
    purpose: Purpose,
    onProgress: (progress: { read: number; renewed: number }) => void,
  ) => Promise<RotationResult>,
): Promise<Output> {
  const rotations: RotationResult[] = [];
  for (const purpose of only ? [only] : PURPOSES)
    rotations.push(
      await rotate(purpose, ({ read, renewed }) =>
        session.terminal.err(`emboss: ${purpose}: ${read} records read, ${renewed} renewed\n`),
      ),
    );
  return { json: { rotations }, text: rotations.map(tell).join('\n') };
}

function tell({ purpose, newKeyId, renewed, retiredKeyIds, waitingKeyIds, needs }: RotationResult): string {
  const sentences = [`${purpose}: key ${newKeyId} is current, ${renewed} records renewed.`];
  if (retiredKeyIds.length > 0) sentences.push(`Destroyed: ${retiredKeyIds.join(', ')}.`);
  const young = waitingKeyIds.filter((id) => !needs.some(({ keyId }) => keyId === id));
  if (young.length > 0)
    sentences.push(
      `Kept for now: ${young.join(', ')}; run "emboss vault retire" 25 hours after the rotation.`,
    );
  const needed = needs.map(({ keyId, reasons }) =>
    [`\n  Key ${keyId} is still needed:`, ...reasons.map((reason) => `    ${reason}`)].join('\n'),
  );
  const advice =
    purpose === 'digest' && needs.length > 0
      ? '\n  Use the keys and let the operators sign in, or repeat with --force: it revokes and disables them.'
      : '';
  return sentences.join(' ') + needed.join('') + advice;
}

type KeyInUse = KeyState & {
  state: 'current' | 'replaced' | 'destroyed';
  /** What keeps a replaced key from being destroyed. */
  needs: string[];
};

async function keysInUse({ db, masters }: Runtime): Promise<KeyInUse[]> {
  const keys = await inspectKeys(db, masters);
  const newest = new Map(keys.map((key) => [key.purpose, key.id]));
  const stateOf = (key: KeyState) => {
    if (key.retiredAt) return 'destroyed';
    return newest.get(key.purpose) === key.id ? 'current' : 'replaced';
  };
  const isReplaced = (key: KeyState) => stateOf(key) === 'replaced';
  // The keys must open to tell more; a vault without old ones is not opened at all.
  const mayAsk = keys.some(isReplaced) && keys.every(({ openedBy }) => openedBy !== 'none');
  const uses = mayAsk ? await keyUses({ db, masters }) : {};
  return Promise.all(
    keys.map(async (key) => {
      const needs = isReplaced(key) ? await uses[key.purpose]?.needs?.(key.id) : undefined;
      return { ...key, state: stateOf(key), needs: needs ?? [] };
    }),
  );
}

function status(terminal: Terminal, keys: KeyInUse[]): Output {
  const rows = keys.map((key) => [
    String(key.id),
    key.purpose,
    key.state,
    moment(key.createdAt, ''),
    moment(key.resealedAt, ''),
    key.openedBy === 'retired' ? moment(key.retiredAt, '') : `${key.openedBy} master key`,
  ]);
  const needs = keys.flatMap(({ id, needs: reasons }) => reasons.map((reason) => `Key ${id}: ${reason}`));
  return {
    json: { keys },
    text:
      rows.length === 0
        ? 'The vault has no keys yet; the first start makes them.'
        : [
            table(terminal, ['KEY', 'PURPOSE', 'STATE', 'CREATED', 'RENEWED', 'OPENED BY'], rows),
            ...needs,
          ].join('\n'),
  };
}
