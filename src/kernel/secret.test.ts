import { format, inspect } from 'node:util';
import { serialize } from 'node:v8';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { bytesOf, reveal, type Secret, secret, wipe } from './secret.ts';

const TEXT = 'open sesame';
const box = secret(TEXT);
/** The type forbids most of this; a slip past the type must be harmless too. */
// biome-ignore lint/suspicious/noExplicitAny: that is the point
const loose = box as any;

describe('a secret prints as [secret] in every form', () => {
  test.each<[string, () => unknown]>([
    ['String()', () => String(loose)],
    ['a template', () => `${loose}`],
    ['+', () => ['', loose].reduce((sum, part) => sum + part)],
    ['toString', () => loose.toString()],
    ['toLocaleString', () => loose.toLocaleString()],
    ['valueOf', () => loose.valueOf()],
    ['join', () => [loose].join()],
    ['inspect', () => inspect(loose)],
    ['format', () => format('%s', loose)],
    ['format as an object', () => format('%o', loose)],
    ['JSON', () => JSON.parse(JSON.stringify(loose))],
    ['JSON inside', () => JSON.parse(JSON.stringify({ a: [loose] })).a[0]],
  ])('%s', (_name, print) => {
    expect(print()).toBe('[secret]');
  });

  test('in console.log and in the log', () => {
    const lines: string[] = [];
    const out = { write: (line: string) => lines.push(line) };
    pino({ base: null }, out).info({ box, deep: { box }, list: [box] }, 'a %s b', box);
    lines.push(inspect({ box, deep: { list: [box] } }, { depth: 9, showHidden: true, getters: true }));
    lines.push(inspect(box, { customInspect: false, showHidden: true }));
    const text = lines.join('\n');
    expect(text).not.toContain(TEXT);
    expect(text.match(/\[secret\]/g)?.length).toBeGreaterThan(5);
  });
});

describe('a secret has nothing that can be copied out', () => {
  test('it has no keys, entries or hidden properties', () => {
    expect(Reflect.ownKeys(loose)).toEqual([]);
    expect({ ...loose }).toEqual({});
    expect(Object.entries(Object.assign({}, loose))).toEqual([]);
    expect(Object.isFrozen(loose)).toBe(true);
  });

  test('a clone is empty and cannot be revealed', () => {
    const clone = structuredClone(loose);
    expect(Reflect.ownKeys(clone)).toEqual([]);
    expect(() => reveal(clone)).toThrow('not a secret');
    expect(serialize(loose).includes(TEXT)).toBe(false);
    expect(() => reveal({ ...loose })).toThrow('not a secret');
    expect(() => reveal(Object.create(loose) as Secret)).toThrow('not a secret');
  });

  test('an error about it does not contain it', () => {
    expect(() => reveal(TEXT as unknown as Secret)).toThrow(/^(?!.*sesame)/);
    expect(() => JSON.parse(loose)).toThrow(/^(?!.*sesame)/);
  });

  test('only reveal returns the text', () => {
    expect(reveal(box)).toBe(TEXT);
    expect(reveal(secret(''))).toBe('');
  });
});

describe('a secret can be overwritten', () => {
  test('its bytes are overwritten in every reference, and reading it throws', () => {
    const bytes = Buffer.from(TEXT);
    const mine = secret(bytes);
    expect(bytesOf(mine)).toBe(bytes);
    wipe(mine, undefined);
    expect(bytes).toEqual(Buffer.alloc(TEXT.length));
    expect(() => reveal(mine)).toThrow('wiped');
    expect(() => bytesOf(mine)).toThrow('wiped');
    wipe(mine);
  });
});
