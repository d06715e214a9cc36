import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createDiskStorage } from './disk-storage.ts';
import { newFileKey, openSealed, saveSealed } from './sealed-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'emboss-sealed-'));
const storage = createDiskStorage(directory, 'application/octet-stream');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const BLOCK = 65_536;
const SEALED = BLOCK + 16;
const contentOf = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, index) => index % 251));

async function* chunksOf(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield Buffer.from(content.subarray(at, at + size));
}

async function saved(bytes: number, size = 10_000) {
  const [key, name] = [newFileKey(), `file-${bytes}-${size}`];
  const content = contentOf(bytes);
  await saveSealed(storage, name, key, chunksOf(content, size));
  return { key, name, content, path: join(directory, name) };
}

async function opened(name: string, key: Buffer, from = 0): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of openSealed(storage, name, key, from)) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

describe('a sealed file', () => {
  test.each([0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])(
    'of %i bytes opens from any position',
    async (bytes) => {
      const { key, name, content } = await saved(bytes);
      for (const from of [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 5, bytes].filter((at) => at <= bytes))
        expect((await opened(name, key, from)).equals(content.subarray(from))).toBe(true);
    },
  );

  test('does not show its content', async () => {
    const { content, path } = await saved(BLOCK);
    expect(readFileSync(path).includes(content.subarray(100, 116))).toBe(false);
  });

  test.each<[string, (bytes: Buffer) => Buffer]>([
    [
      'altered',
      (bytes) =>
        Buffer.concat([bytes.subarray(0, 9), Buffer.from([(bytes[9] as number) ^ 1]), bytes.subarray(10)]),
    ],
    ['cut off after a block', (bytes) => bytes.subarray(0, SEALED)],
    ['cut off in a block', (bytes) => bytes.subarray(0, SEALED + 40)],
    ['cut off in a tag', (bytes) => bytes.subarray(0, SEALED + 8)],
    [
      'reordered',
      (bytes) =>
        Buffer.concat([
          bytes.subarray(SEALED, 2 * SEALED),
          bytes.subarray(0, SEALED),
          bytes.subarray(2 * SEALED),
        ]),
    ],
    ['extended', (bytes) => Buffer.concat([bytes, bytes.subarray(0, SEALED)])],
    ['emptied', () => Buffer.alloc(0)],
  ])('that was %s does not open', async (_, change) => {
    const { key, name, path } = await saved(2 * BLOCK + 100);
    writeFileSync(path, change(readFileSync(path)));
    await expect(opened(name, key)).rejects.toThrow(/sealed file/);
  });

  test('opens with its own key only', async () => {
    const { name } = await saved(100);
    await expect(opened(name, newFileKey())).rejects.toThrow('was altered');
  });

  test('of content that fails is not stored', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield contentOf(3 * BLOCK);
      throw new Error('broken off');
    }
    await expect(saveSealed(storage, 'broken', newFileKey(), broken())).rejects.toThrow('broken off');
    expect(await storage.size('broken')).toBeUndefined();
  });

  test('overwrites what it has handed out', async () => {
    const { key, name } = await saved(2 * BLOCK);
    const parts: Buffer[] = [];
    for await (const part of openSealed(storage, name, key)) parts.push(part);
    expect(parts.every((part) => part.every((byte) => byte === 0))).toBe(true);
  });
});
