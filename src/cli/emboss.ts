import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { start } from './start.ts';

export async function runCommandLine(argv: string[]): Promise<void> {
  const emboss = new Command('emboss').description('Card issuing platform').version(VERSION);
  emboss.command('start').description('Start the server').action(start);
  await emboss.parseAsync(argv, { from: 'user' });
}
