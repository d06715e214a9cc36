import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const RUN = ['--import', 'tsx', '--input-type=module', '-e'];
const CREATE = `const { createLogger } = await import('./src/http/logging.ts');`;

test('the lines of several processes that share one pipe do not mix, and none is lost', () => {
  const script = `${CREATE}
    const { setImmediate: nextTurn } = await import('node:timers/promises');
    const { logger } = createLogger('info', true);
    for (let turn = 0; turn < 400; turn++) {
      for (let n = 0; n < 10; n++) logger.info({ n: turn * 10 + n, text: '漢x'.repeat((turn * 7 + n * 31) % 150) }, 'line');
      await nextTurn();
    }`;
  const three = Array(3).fill(`"$0" "$@" &`).join(' ');
  const { stdout } = spawnSync(
    'sh',
    ['-c', `(${three} wait) 2>&1 | dd bs=100 status=none`, process.execPath, ...RUN, script],
    {
      maxBuffer: 2 ** 26,
    },
  );
  const numbers = new Map<number, number[]>();
  for (const line of stdout.toString().trimEnd().split('\n')) {
    const { pid, n } = JSON.parse(line);
    numbers.set(pid, [...(numbers.get(pid) ?? []), n]);
  }
  const all = Array.from({ length: 4_000 }, (_, n) => n);
  expect([...numbers.values()]).toEqual([all, all, all]);
});

test('a reader that stops reading neither blocks the process nor fills its memory: lines are dropped', async () => {
  const script = `${CREATE}
    const { logger } = createLogger('info');
    const text = 'x'.repeat(10_000);
    for (let n = 0; n < 30_000; n++) logger.info({ n, text }, 'line');
    globalThis.gc();
    process.stdout.write(String(process.memoryUsage().rss));
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--expose-gc', ...RUN, script]);
  try {
    const [rss] = await once(child.stdout, 'data');
    expect(Number(rss)).toBeLessThan(200 * 2 ** 20);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a card number is masked wherever it is in a line, and fields with secrets are redacted', () => {
  const script = `${CREATE}
    const { logger } = createLogger('info');
    logger.info({ note: 'of 9999 0012 3456 7891', cvv: '123', req: { headers: { key: 'k' } } }, '9999001234567891');`;
  const { stderr } = spawnSync(process.execPath, [...RUN, script]);
  expect(JSON.parse(stderr.toString())).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    note: 'of [card number]',
    cvv: '[redacted]',
    req: { headers: '[redacted]' },
    msg: '[card number]',
  });
});

test('the lines of the turn in which the process ends are written', () => {
  const script = `${CREATE}
    createLogger('info').logger.info('last words');
    process.exit(1);`;
  const { stderr } = spawnSync(process.execPath, [...RUN, script]);
  expect(stderr.toString()).toContain('last words');
});
