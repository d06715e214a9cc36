import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findUncleanText, isCleanText } from './text.ts';

describe('clean text', () => {
  test.each(['', ' ', 'Ada', 'Ærøskøbing', '東京', '😀', 'עברית', 'e\u0301', '\u00a0', '\u200d', '\ufffd'])(
    '%j',
    (text) => {
      expect(isCleanText(text)).toBe(true);
    },
  );

  test('every control character of both blocks is unclean, and nothing else of the first 256', () => {
    for (let code = 0; code < 256; code++) {
      const control = code < 32 || (code >= 127 && code < 160);
      expect([code, isCleanText(`a${String.fromCharCode(code)}b`)]).toEqual([code, !control]);
    }
  });

  test('half a surrogate pair is unclean wherever it stands', () => {
    for (const half of ['\ud83d', '\ude00'])
      for (const text of [half, `a${half}`, `${half}a`, `😀${half}`]) expect(isCleanText(text)).toBe(false);
    expect(isCleanText('\ude00\ud83d')).toBe(false);
  });
});

describe('the path of unclean text', () => {
  const BAD = 'a\u0000b';
  test.each([
    [BAD, 'body'],
    [{ reason: BAD }, 'reason'],
    [{ kyc: { firstName: BAD } }, 'kyc.firstName'],
    [{ list: ['fine', BAD] }, 'list.1'],
    [{ kyc: { [BAD]: 'fine' } }, 'kyc'],
    [{ [BAD]: 1 }, 'body'],
  ])('%j: %s', (value, path) => {
    expect(findUncleanText(value)).toBe(path);
  });

  test('clean values of every kind have none', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }), (value) => {
        expect(findUncleanText(value)).toBeUndefined();
      }),
    );
    for (const value of [null, undefined, 1, true, [], {}]) expect(findUncleanText(value)).toBeUndefined();
  });

  test('one bad text is found at any depth, far past the call stack', () => {
    let value: unknown = BAD;
    for (let depth = 0; depth < 30_000; depth++) value = [value];
    expect(findUncleanText(value)).toMatch(/^0(\.0)+$/);
  });
});
