import { type Command, Option } from 'commander';
import type { Runtime } from '../runtime.ts';
import { inspectKeys, type KeyState } from '../vault/keyring.ts';
import {
  type RotationResult,
  retireKeys,
  rewrapKeys,
  rotateKeys,
  SEALING_PURPOSES,
  type SealingPurpose,
} from '../vault/rotate-keys.ts';
import type { Session } from './session.ts';
import { moment, type Output, type Terminal, table } from './terminal.ts';

const purposeOption = () =>
  new Option('--purpose <purpose>', 'only this key (default: all that seal)').choices(SEALING_PURPOSES);

export function vaultCommands(emboss: Command, session: Session): void {
  const group = emboss.command('vault').description('Keys of the vault');
  group
    .command('status')
    .description(
      'List the data keys: their age, when all was resealed under them, and which master key opens them',
    )
    .action(() =>
      session.run(async ({ db, masters }) => status(session.terminal, await inspectKeys(db, masters))),
    );
  group
    .command('rotate')
    .description(
      'Make new data keys and reseal everything under them, while servers run; run it again after an interruption',
    )
    .addOption(purposeOption())
    .action(({ purpose }) => session.run((runtime) => eachPurpose(session, runtime, rotateKeys, purpose)));
  group
    .command('retire')
    .description('Reseal stragglers, then destroy the data keys that were replaced over 25 hours ago')
    .addOption(purposeOption())
    .action(({ purpose }) => session.run((runtime) => eachPurpose(session, runtime, retireKeys, purpose)));
  group
    .command('rewrap')
    .description(
      'Change the master key: wrap the data keys under EMBOSS_MASTER_KEY, opening them with EMBOSS_MASTER_KEY_PREVIOUS. Give every server both keys first',
    )
    .action(() =>
      session.run(async ({ db, masters }) => {
        const rewrapped = await rewrapKeys(db, masters);
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
  { db, masters }: Runtime,
  rotate: typeof rotateKeys,
  only: SealingPurpose | undefined,
): Promise<Output> {
  const rotations: RotationResult[] = [];
  for (const purpose of only ? [only] : SEALING_PURPOSES) {
    const onProgress = ({ read, resealed }: { read: number; resealed: number }) =>
      session.terminal.err(`emboss: ${purpose}: ${read} records read, ${resealed} resealed\n`);
    rotations.push(await rotate(db, masters, purpose, { onProgress }));
  }
  return { json: { rotations }, text: rotations.map(tell).join('\n') };
}

function tell({ purpose, newKeyId, resealed, retiredKeyIds, waitingKeyIds }: RotationResult): string {
  const sentences = [`${purpose}: key ${newKeyId} is current, ${resealed} records resealed.`];
  if (retiredKeyIds.length > 0) sentences.push(`Destroyed: ${retiredKeyIds.join(', ')}.`);
  if (waitingKeyIds.length > 0)
    sentences.push(
      `Kept for now: ${waitingKeyIds.join(', ')}; run "emboss vault retire" 25 hours after the rotation.`,
    );
  return sentences.join(' ');
}

function status(terminal: Terminal, keys: KeyState[]): Output {
  const rows = keys.map((key) => [
    String(key.id),
    key.purpose,
    moment(key.createdAt, ''),
    moment(key.resealedAt, ''),
    key.openedBy === 'retired' ? `retired ${moment(key.retiredAt, '')}` : `${key.openedBy} master key`,
  ]);
  return {
    json: { keys },
    text:
      rows.length === 0
        ? 'The vault has no keys yet; the first start makes them.'
        : table(terminal, ['KEY', 'PURPOSE', 'CREATED', 'RESEALED', 'OPENED BY'], rows),
  };
}
