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
  const group = emboss.command('vault').description('Encryption keys of the vault');
  group
    .command('status')
    .alias('keys')
    .description(
      'List the data keys: age, state, which master key decrypts them, and what still needs old ones',
    )
    .action(() => session.run(async (runtime) => status(session.terminal, await keysInUse(runtime))));
  group
    .command('rotate')
    .description(
      'Create new data keys and re-encrypt the vault with them while servers run; repeat the command after an interruption',
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
      'Re-encrypt remaining records, then destroy data keys that were replaced over 25 hours ago and are no longer needed',
    )
    .addOption(purposeOption())
    .option(
      '--force',
      'revoke API keys and disable operators that have not been used since the digest key was replaced',
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
      'Change the master key: decrypt the data keys with EMBOSS_MASTER_KEY_PREVIOUS and encrypt them with EMBOSS_MASTER_KEY. First set both keys on every server',
    )
    .action(() =>
      session.run(async ({ db, masters }) => {
        const rewrapped = await rewrapKeys(db, masters, cliIdentity());
        const text =
          rewrapped === 0
            ? 'All data keys are already encrypted with EMBOSS_MASTER_KEY.'
            : `Encrypted ${rewrapped} data keys with EMBOSS_MASTER_KEY. You can now remove EMBOSS_MASTER_KEY_PREVIOUS.`;
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
        session.terminal.err(`emboss: ${purpose}: ${read} records read, ${renewed} re-encrypted
`),
      ),
    );
  return { json: { rotations }, text: rotations.map(describeRotation).join('\n') };
}

function describeRotation({
  purpose,
  newKeyId,
  renewed,
  retiredKeyIds,
  waitingKeyIds,
  needs,
}: RotationResult): string {
  const sentences = [`${purpose}: key ${newKeyId} is current, ${renewed} records re-encrypted.`];
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
      ? `\n  Use these keys and let these operators sign in, or repeat the command with --force to revoke the keys and disable the operators.`
      : '';
  return sentences.join(' ') + needed.join('') + advice;
}

type KeyInUse = KeyState & {
  state: 'current' | 'replaced' | 'destroyed';
  /** Reasons why a replaced key cannot be destroyed yet. */
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
  // Reading the uses requires that all keys open. Without a replaced key the vault is not opened.
  const canOpen = keys.some(isReplaced) && keys.every(({ openedBy }) => openedBy !== 'none');
  const uses = canOpen ? await keyUses({ db, masters }) : {};
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
  const names = ['KEY', 'PURPOSE', 'STATE', 'CREATED', 'RENEWED', 'OPENED BY'];
  const empty = 'The vault has no keys yet; the first start creates them.';
  return { json: { keys }, text: [table(terminal, names, rows, empty), ...needs].join('\n') };
}
