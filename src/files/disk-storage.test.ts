import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listEverything } from '../../test/support/scripts/list-files.ts';
import { ROOT } from '../../test/support/scripts/sources.ts';
import { createDiskStorage } from './disk-storage.ts';
import type { FileStorage } from './storage.ts';

const home = mkdtempSync(join(tmpdir(), 'emboss-reports-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let directory: string;
let storage: FileStorage;
beforeEach(() => {
  directory = join(mkdtempSync(join(home, 'data-')), 'reports');
  storage = createDiskStorage(directory, 'text/csv');
});

const saved = async (key: string) => {
  const file = await storage.open(key);
  return file && text(file.content);
};
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const files = () => listEverything(directory).map((path) => path.slice(directory.length + 1));

describe('a saved file', () => {
  test('is read back, whole and in parts, with its size', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    expect(await storage.save('p/r.csv', Readable.from([content]))).toEqual({ bytes: 300_000 });
    expect([await storage.size('p/r.csv'), await storage.size('p/s.csv')]).toEqual([300_000, undefined]);
    const whole = await storage.open('p/r.csv');
    expect(whole?.bytes).toBe(300_000);
    expect((await buffer(whole?.content as Readable)).equals(content)).toBe(true);
    for (const range of [
      { start: 0, end: 0 },
      { start: 100_000, end: 200_000 },
      { start: 299_999, end: 299_999 },
    ]) {
      const part = await storage.open('p/r.csv', range);
      expect(part?.bytes).toBe(300_000);
      expect(
        (await buffer(part?.content as Readable)).equals(content.subarray(range.start, range.end + 1)),
      ).toBe(true);
    }
  });

  test('may be empty', async () => {
    expect(await storage.save('empty.csv', Readable.from([]))).toEqual({ bytes: 0 });
    expect(await saved('empty.csv')).toBe('');
  });

  test('replaces the previous one; an open reader still reads the previous one to its end', async () => {
    await storage.save('r.csv', Readable.from(['old']));
    const old = await storage.open('r.csv');
    await storage.save('r.csv', Readable.from(['new and longer']));
    expect(await text(old?.content as Readable)).toBe('old');
    expect(await saved('r.csv')).toBe('new and longer');
  });

  test('and its directories are readable only by their owner', async () => {
    await storage.save('p/r.csv', Readable.from(['x']));
    expect(modeOf(directory)).toBe('700');
    expect(modeOf(join(directory, 'p'))).toBe('700');
    expect(modeOf(join(directory, '.drafts'))).toBe('700');
    expect(modeOf(join(directory, 'p/r.csv'))).toBe('600');
  });

  test('does not exist after its removal; removing a missing file succeeds', async () => {
    await storage.save('r.csv', Readable.from(['x']));
    await storage.remove('r.csv');
    await storage.remove('r.csv');
    await storage.remove('never/was.csv');
    expect(await storage.open('r.csv')).toBeUndefined();
    expect(await storage.open('never/was.csv')).toBeUndefined();
  });

  test('is never a mixture of concurrent writes', async () => {
    const contents = Array.from({ length: 8 }, (_, index) => String(index).repeat(200_000));
    await Promise.all(contents.map((content) => storage.save('r.csv', Readable.from([content]))));
    expect(contents).toContain(await saved('r.csv'));
    expect(files()).toEqual(['r.csv']);
  });
});

describe('writing is atomic', () => {
  test('content that fails leaves only the old file', async () => {
    await storage.save('r.csv', Readable.from(['old']));
    const failing = Readable.from(
      (async function* () {
        yield 'x'.repeat(500_000);
        throw new Error('the database went away');
      })(),
    );
    await expect(storage.save('r.csv', failing)).rejects.toThrow('the database went away');
    const cut = new Readable({ read() {} });
    cut.push('half');
    const saving = storage.save('r.csv', cut);
    cut.destroy();
    await expect(saving).rejects.toThrow();
    expect(await saved('r.csv')).toBe('old');
    expect(files()).toEqual(['r.csv']);
  });

  test('content that fails immediately is a handled error', async () => {
    const broken = new Readable({ read() {} });
    const saving = storage.save('r.csv', broken);
    broken.destroy(new Error('the database was away'));
    await expect(saving).rejects.toThrow('the database was away');
    const spoiled = new Readable({ read() {} });
    spoiled.on('error', () => {}).destroy(new Error('long ago'));
    await expect(storage.save('r.csv', spoiled)).rejects.toThrow('long ago');
    expect(await storage.open('r.csv')).toBeUndefined();
  });

  test('a killed process leaves the old file; its draft is removed after an hour', async () => {
    await storage.save('r.csv', Readable.from(['old']));
    const child = spawn(process.execPath, [
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      `import { Readable } from 'node:stream';
       import { createDiskStorage } from ${JSON.stringify(pathToFileURL(join(ROOT, 'src/files/disk-storage.ts')).href)};
       const endless = Readable.from((async function* () { for (;;) yield Buffer.alloc(65536, 'n'); })());
       await createDiskStorage(${JSON.stringify(directory)}, 'text/csv').save('r.csv', endless);`,
    ]);
    const drafts = join(directory, '.drafts');
    await vi.waitFor(
      () => {
        const [draft = ''] = readdirSync(drafts);
        expect(statSync(join(drafts, draft)).size).toBeGreaterThan(1_000_000);
      },
      { timeout: 20_000, interval: 5 },
    );
    child.kill('SIGKILL');
    await once(child, 'close');

    expect(await saved('r.csv')).toBe('old');
    const [left = ''] = readdirSync(drafts);
    // The draft may belong to a process that is still writing.
    await storage.save('other.csv', Readable.from(['x']));
    expect(readdirSync(drafts)).toEqual([left]);
    const longAgo = new Date(Date.now() - 3_601_000);
    utimesSync(join(drafts, left), longAgo, longAgo);
    await storage.save('r.csv', Readable.from(['new']));
    expect(await saved('r.csv')).toBe('new');
    expect(files().sort()).toEqual(['other.csv', 'r.csv']);
  });
});

describe('a key', () => {
  const outside = () => join(directory, '../secret');

  test.each([
    '../secret',
    'p/../../secret',
    '/etc/passwd',
    '..',
    '.',
    '',
    'p/',
    '/p',
    'p//r',
    './r',
    '.drafts/r',
    'p/.r',
    'p\\..\\r',
    'r\0.csv',
    'r.csv\n',
    'a'.repeat(256),
    'é',
    'a b',
    '%2e%2e/secret',
  ])('that is not well formed is refused: %j', async (key) => {
    await storage.save('r.csv', Readable.from(['x']));
    writeFileSync(outside(), 'untouched');
    await expect(storage.open(key)).rejects.toThrow('not well formed');
    await expect(storage.save(key, Readable.from(['x']))).rejects.toThrow('not well formed');
    await expect(storage.remove(key)).rejects.toThrow('not well formed');
    expect(readFileSync(outside(), 'utf8')).toBe('untouched');
    expect(files()).toEqual(['r.csv']);
  });

  test('of Emboss’s own form is accepted', async () => {
    const key = '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f/monthlyTransactionFees_2026-10.csv';
    await storage.save(key, Readable.from(['x']));
    expect(await saved(key)).toBe('x');
  });
});
