import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, scanJson } from './scan-json.ts';

const scan = (text: string, ...secretFields: string[]) => scanJson(Buffer.from(text), new Set(secretFields));
const refusal = (text: string): string | undefined => {
  try {
    parseJson(Buffer.from(text), scan(text));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};
const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

describe('bounds', () => {
  test('32 levels are accepted, 33 are not', () => {
    expect(refusal(nested(32))).toBeUndefined();
    expect(refusal(nested(33))).toBe('body: must not be nested deeper than 32');
    expect(refusal(`{"x":${nested(31)}}`)).toBeUndefined();
    expect(refusal(`{"x":${nested(32)}}`)).toContain('deeper than 32');
    expect(refusal('['.repeat(65_536))).toContain('deeper than 32');
    expect(refusal('{"a":'.repeat(10_000))).toContain('deeper than 32');
  });

  test.each([
    ['numbers', '1'],
    ['texts', '"a"'],
    ['words', 'null'],
    ['empty objects', '{}'],
    ['empty arrays', '[]'],
    ['texts with brackets', '"[{,:\\""'],
  ])('2,000 %s are accepted, 2,001 are not', (_what, item) => {
    const list = (count: number) => `{"x":[${Array(count).fill(item).join()}]}`;
    expect(refusal(list(2_000))).toBeUndefined();
    expect(refusal(list(2_001))).toBe('body: must contain at most 2000 values');
  });

  test('brackets and braces inside a string do not count', () => {
    expect(refusal(JSON.stringify({ x: '['.repeat(100), y: '\\"{{{'.repeat(100) }))).toBeUndefined();
  });
});

describe('the same key twice in an object', () => {
  test.each([
    '{"a":1,"a":2}',
    '{"x":{"a":1,"b":[{"c":1}],"a":2}}',
    '{"a":1,"\\u0061":2}',
    '{"a":[1,2],"b":{"a":1},"a":{}}',
    '{"":1,"":2}',
    '{"freeze":true , "freeze" :false}',
  ])('%s', (text) => {
    expect(refusal(text)).toBe('body: must not have the same key twice in one object');
  });

  test.each(['{"a":{"a":1},"b":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"b","b":"a"}', '{"a":["a","a"]}'])(
    'in two objects, or as a value, is accepted: %s',
    (text) => {
      expect(refusal(text)).toBeUndefined();
    },
  );
});

describe('secret fields', () => {
  const lift = (value: unknown, ...fields: string[]) => {
    const body = Buffer.from(JSON.stringify(value));
    const { secrets } = scanJson(body, new Set(fields));
    return { body: JSON.parse(body.toString()), secrets, text: body.toString() };
  };

  test('are removed from the body and replaced by a string of the same length and kind', () => {
    const { body, secrets, text } = lift(
      { card_number: '9999000088077395', cvv: '123', amount: '1.00', nested: { cvv: '456' } },
      'card_number',
      'cvv',
    );
    expect(body).toEqual({ card_number: '0'.repeat(16), cvv: '000', amount: '1.00', nested: { cvv: '456' } });
    expect(String(secrets.get('card_number'))).toBe('9999000088077395');
    expect(String(secrets.get('cvv'))).toBe('123');
    expect(text).not.toContain('88077395');
  });

  test('leave no copy in memory if their key stands twice', () => {
    const lifted: Buffer[] = [];
    class Kept extends Map<string, Buffer> {
      override set(key: string, value: Buffer) {
        lifted.push(value);
        return super.set(key, value);
      }
    }
    const body = Buffer.from('{"password":"first","password":"second"}');
    scanJson(body, new Set(['password']), new Kept());
    expect(lifted.map(String)).toEqual(['\0'.repeat(5), 'second']);
  });

  test('are returned unchanged, with their length, for any content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (password) => {
        fc.pre(!/\p{Cc}/u.test(password));
        const { body, secrets } = lift({ password, other: 1 }, 'password');
        expect(String(secrets.get('password'))).toBe(password);
        expect(body).toEqual({ password: expect.stringMatching(/^[0x]*$/), other: 1 });
        expect(body.password).toHaveLength([...password].length);
      }),
    );
  });

  test.each(['a\nb', 'a\u007fb', 'a\u0085b'])('with a control character are refused: %j', (password) => {
    for (const body of [JSON.stringify({ password }), `{"password":"${password}"}`])
      expect(() => scan(body, 'password')).toThrow('password: must not contain control characters');
  });

  test.each([
    ['half a surrogate', Buffer.from('{"password":"\\ud800"}')],
    [
      'bytes that are not UTF-8',
      Buffer.from([...Buffer.from('{"password":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
    ],
    ['an escape that JSON does not know', Buffer.from('{"password":"\\q"}')],
  ])('with %s are refused', (_what, body) => {
    expect(() => scanJson(body, new Set(['password']))).toThrow(/must/);
  });

  test('that are not strings are left to the schema validation', () => {
    expect(lift({ cvv: 123, password: null }, 'cvv', 'password').body).toEqual({ cvv: 123, password: null });
  });
});

test('any JSON within the bounds passes unchanged, and any other bytes are refused or left to the parser', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const body = Buffer.from(JSON.stringify(value));
      const before = body.toString();
      scanJson(body);
      expect(body.toString()).toBe(before);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u00a1x ') }), (text) => {
      const message = refusal(text);
      expect(message === undefined || message.startsWith('body: ')).toBe(true);
      // What JSON.parse accepts with a key that stands twice is refused; what it refuses, it still refuses.
      scanJson(Buffer.from(`{"p":"${text.replace(/["\\]/g, '')}"}`), new Set(['p']));
    }),
  );
});
