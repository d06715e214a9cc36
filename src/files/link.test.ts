import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testDigest } from '../../test/support/server/digest.ts';
import { newId } from '../kernel/ids.ts';
import { mintLink, readLink } from './link.ts';
import type { FileStorage } from './storage.ts';

const digest = testDigest('of a test');
const publicUrl = 'https://cards.example/emboss';
const nothing: FileStorage = {
  contentType: 'text/csv',
  save: async () => ({ bytes: 0 }),
  open: async () => ({ content: Readable.from([]), bytes: 0 }),
  size: async () => 0,
  remove: async () => {},
  presign: undefined,
};
const NOW = Date.UTC(2026, 10, 3, 12);
const file = { id: newId(NOW), storageKey: 'a/b.csv', fileName: 'emboss-daily-2026-11-01.csv' };

async function mint(nowMs = NOW, of: Partial<typeof file> = {}) {
  const { link, expireAt } = await mintLink(
    { storage: nothing, publicUrl, digest },
    { ...file, ...of },
    () => nowMs,
  );
  expect(link.startsWith(`${publicUrl}/files/`)).toBe(true);
  return { address: link.slice(publicUrl.length), expireAt };
}

describe('a link to this server', () => {
  test('opens its file, and contains only the file’s name', async () => {
    const { address, expireAt } = await mint();
    const { id, fileName } = file;
    expect(readLink(digest, address, NOW)).toEqual({ id, fileName });
    expect(expireAt).toBe(NOW / 1000 + 300);
    expect(address).toMatch(
      new RegExp(`^/files/${id}/${fileName}\\?expires=${expireAt}&signature=[A-Za-z0-9_-]{48}$`),
    );
  });

  test('is valid at 4:59.999 and invalid at 5:00', async () => {
    const { address } = await mint();
    expect(readLink(digest, address, NOW + 299_999)).toBeDefined();
    expect(readLink(digest, address, NOW + 300_000)).toBeUndefined();
    expect(readLink(digest, address, NOW + 86_400_000)).toBeUndefined();
  });

  test('is valid until just before expireAt, for any time of creation, and never for more than 5 minutes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 4_102_444_800_000 }), async (nowMs) => {
        const { address, expireAt } = await mint(nowMs);
        expect(readLink(digest, address, nowMs)).toBeDefined();
        expect(readLink(digest, address, expireAt * 1000 - 1)).toBeDefined();
        expect(readLink(digest, address, expireAt * 1000)).toBeUndefined();
        const lifeMs = expireAt * 1000 - nowMs;
        expect(lifeMs > 299_000 && lifeMs <= 300_000).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('signed with another key is invalid', async () => {
    const { address } = await mint();
    expect(readLink(testDigest('another'), address, NOW)).toBeUndefined();
  });

  test('does not make a link to another file or with another time valid', async () => {
    const { address, expireAt } = await mint();
    const { address: other } = await mint(NOW, { id: newId(NOW) });
    const [query, otherQuery] = [address, other].map((text) => text.split('?')[1]);
    expect(readLink(digest, address.replace(query as string, otherQuery as string), NOW)).toBeUndefined();
    expect(readLink(digest, address.replace('daily', 'monthly'), NOW)).toBeUndefined();
    expect(readLink(digest, address.replace(`${expireAt}`, `${expireAt + 1}`), NOW)).toBeUndefined();
  });

  test.each(['../../etc/passwd', 'a b.csv', 'a/b.csv', 'a"b.csv', '', '.csv', 'a.csv?x=1', 'é.csv'])(
    'is not created for the file name %j',
    async (fileName) => {
      await expect(mint(NOW, { fileName })).rejects.toThrow('cannot be created');
    },
  );

  test('is valid for five minutes from when it is created, however long the keys took to read', async () => {
    let nowMs = NOW;
    const refresh = async () => {
      nowMs += 4_000;
    };
    const sign = (...parts: Parameters<typeof digest>) => digest(...parts);
    const slow = Object.assign(sign, digest, { refresh });
    const { expireAt } = await mintLink({ storage: nothing, publicUrl, digest: slow }, file, () => nowMs);
    expect(expireAt).toBe(NOW / 1000 + 304);
  });

  test('is a presigned link if the storage has them', async () => {
    const calls: unknown[] = [];
    const storage: FileStorage = {
      ...nothing,
      presign: async (...given) => {
        calls.push(given);
        return 'https://bucket.example/x';
      },
    };
    const minted = await mintLink({ storage, publicUrl, digest }, file, () => NOW + 700);
    expect(minted).toEqual({ link: 'https://bucket.example/x', expireAt: NOW / 1000 + 300 });
    expect(calls).toEqual([['a/b.csv', 'emboss-daily-2026-11-01.csv', 300]]);
  });
});

/** Ways to alter a text: `at` is the position, `by` the new byte. */
const ALTERATIONS: Record<string, (text: string, at: number, by: string) => string> = {
  'a byte replaced': (text, at, by) => text.slice(0, at) + by + text.slice(at + 1),
  'a byte put in': (text, at, by) => text.slice(0, at) + by + text.slice(at),
  'a byte taken out': (text, at) => text.slice(0, at) + text.slice(at + 1),
  'the other case': (text, at) => {
    const byte = text.charAt(at);
    const other = byte === byte.toLowerCase() ? byte.toUpperCase() : byte.toLowerCase();
    return text.slice(0, at) + other + text.slice(at + 1);
  },
  'another encoding': (text, at) =>
    `${text.slice(0, at)}%${text.charCodeAt(at).toString(16)}${text.slice(at + 1)}`,
  'bytes exchanged': (text, at) =>
    text.slice(0, at) +
    text
      .slice(at, at + 2)
      .split('')
      .reverse()
      .join('') +
    text.slice(at + 2),
  'cut off': (text, at) => text.slice(0, at),
  'text at the end': (text, _at, by) => text + by,
  'a parameter at the end': (text, _at, by) => `${text}&${by}=1`,
  'a parameter twice': (text) => `${text}&${/expires=\d+/.exec(text)?.[0]}`,
  'the signature twice': (text) => `${text}&${/signature=.*/.exec(text)?.[0]}`,
  'parameters exchanged': (text) => text.replace(/\?(.*)&(.*)/, '?$2&$1'),
  'a slash after the name': (text) => text.replace('?', '/?'),
  'a longer life': (text, at) => text.replace(/expires=(\d+)/, (_, old) => `expires=${Number(old) + 1 + at}`),
  'a leading zero': (text) => text.replace('expires=', 'expires=0'),
  'a signature padded': (text) => `${text}=`,
};

test('none of ten thousand altered links is valid', async () => {
  const { address } = await mint();
  const alteration = fc.constantFrom(...Object.keys(ALTERATIONS));
  const position = fc.nat(address.length - 1);
  const byte = fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.constantFrom(...'09azAZ-_/.?&=%'));
  let altered = 0;
  for (const [how, at, by] of fc.sample(fc.tuple(alteration, position, byte), 12_000)) {
    const spoiled = ALTERATIONS[how]?.(address, at, by) ?? '';
    if (spoiled === address) continue;
    altered += 1;
    expect([how, spoiled, readLink(digest, spoiled, NOW)]).toEqual([how, spoiled, undefined]);
  }
  expect(altered).toBeGreaterThan(10_000);
  const last = address.slice(-1);
  const lookAlikes = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter(
    (other) => other !== last,
  );
  for (const other of lookAlikes) expect(readLink(digest, address.slice(0, -1) + other, NOW)).toBeUndefined();
  expect(readLink(digest, address, NOW)).toBeDefined();
});
