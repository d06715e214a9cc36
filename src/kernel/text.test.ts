import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findUncleanText, isCleanText, isReadableText, removeInvisible } from './text.ts';

describe('clean text', () => {
  test.each(['', ' ', 'Ada', 'Ærøskøbing', '東京', '😀', 'עברית', 'e\u0301', '\u00a0', '\u200d', '\ufffd'])(
    '%j',
    (text) => {
      expect(isCleanText(text)).toBe(true);
    },
  );

  test('every control character of both blocks is unclean, and no other of the first 256 characters', () => {
    for (let code = 0; code < 256; code++) {
      const control = code < 32 || (code >= 127 && code < 160);
      expect([code, isCleanText(`a${String.fromCharCode(code)}b`)]).toEqual([code, !control]);
    }
  });

  test('an unpaired surrogate is unclean at any position', () => {
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
    [{ list: ['fine', BAD] }, 'list[1]'],
    [{ kyc: { [BAD]: 'fine' } }, 'kyc'],
    [{ [BAD]: 1 }, 'body'],
  ])('%j: %s', (value, path) => {
    expect(findUncleanText(value)).toBe(path);
  });

  test('clean values of every type have no such path', () => {
    const unit = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter(isReadableText);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: unit }), (value) => {
        expect(findUncleanText(value)).toBeUndefined();
      }),
    );
    for (const value of [null, undefined, 1, true, [], {}]) expect(findUncleanText(value)).toBeUndefined();
  });
});

describe('invisible characters', () => {
  /** Bidirectional controls, zero-width characters, separators and blank letters, by their code. */
  const CODES = [
    0xad, 0x34f, 0x61c, 0x200b, 0x200d, 0x200f, 0x202a, 0x202e, 0x2028, 0x2029, 0x2060, 0x2066, 0x2069,
    0x3164, 0xfeff, 0xe0041,
  ];
  test.each(CODES)('%d is refused in text, and removed where text cannot be refused', (code) => {
    const text = `Ada${String.fromCodePoint(code)}Lovelace`;
    expect([isCleanText(text), isReadableText(text)]).toEqual([true, false]);
    expect(removeInvisible(text.repeat(2))).toBe('AdaLovelaceAdaLovelace');
    expect([findUncleanText({ text }), findUncleanText({ text }, true)]).toEqual(['text', undefined]);
  });

  test('letters, accents, signs and spaces of any script are visible', () => {
    for (const text of ['Zoë e\u0301', 'Ада', '漢字', 'أحمد', '😀', 'a\u00a0b', 'O’Neil']) {
      expect(isReadableText(text)).toBe(true);
      expect(removeInvisible(text)).toBe(text);
    }
  });
});
