import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ROOT } from './sources.ts';

/** Starts `first`, then goes on to the second, and says what it ends. */
const script = (second: string): string => `
  import { setTimeout as pause } from 'node:timers/promises';
  import { runScript } from './test/support/scripts/script-run.ts';
  const end = async (name) => {
    await pause(300);
    process.stdout.write(name + ' ended\\n');
  };
  setInterval(() => {}, 1_000);
  await runScript(async (keep) => {
    await keep(() => 'first', end);
    ${second}
    return 0;
  });`;
const ready = `process.stdout.write('ready\\n');`;

async function runWith(second: string, ...signals: NodeJS.Signals[]) {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script(second)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    lines.push(...text.split('\n').filter(Boolean));
    // The second comes while the first is being heeded.
    if (text.startsWith('ready'))
      signals.forEach((signal, place) => void setTimeout(() => child.kill(signal), 100 * place));
  });
  const [code] = await once(child, 'close');
  return { code, lines };
}

test('a finished script has ended what it started, the last first', async () => {
  const { code, lines } = await runWith(`await keep(() => 'second', end);`);
  expect({ code, lines }).toEqual({ code: 0, lines: ['second ended', 'first ended'] });
});

test.each([
  ['stopped', `await keep(() => 'second', end); ${ready} await pause(60_000);`],
  [
    'stopped while it starts something',
    `await keep(async () => {
      ${ready}
      await new Promise((heard) => process.on('SIGINT', heard).on('SIGTERM', heard));
      await pause(500);
      return 'second';
    }, end);
    await keep(() => 'third', end);`,
  ],
])(
  'a script that is %s, twice, ends everything that it started, and starts nothing more',
  async (_when, second) => {
    for (const signals of [
      ['SIGINT', 'SIGINT'],
      ['SIGTERM', 'SIGTERM'],
    ] as const)
      expect(await runWith(second, ...signals)).toEqual({
        code: 1,
        lines: ['ready', 'second ended', 'first ended'],
      });
  },
);

test('a script that fails, also with an unhandled rejection, has ended what it started', async () => {
  for (const second of [`throw new Error('x');`, `Promise.reject(new Error('x')); await pause(60_000);`])
    expect(await runWith(second)).toEqual({ code: 1, lines: ['first ended'] });
});
