import { describe, expect, test } from 'vitest';
import { isOneTypo, spellingsOf } from './spellings.ts';

const share = (a: string, b: string) => spellingsOf(a).some((spelling) => spellingsOf(b).includes(spelling));

describe('one typo', () => {
  test.each([
    ['the same', 'LOVELACE'],
    ['a wrong letter', 'LOVELASE'],
    ['a wrong first letter', 'KOVELACE'],
    ['a wrong last letter', 'LOVELACA'],
    ['a missing letter', 'LOVLACE'],
    ['a missing first letter', 'OVELACE'],
    ['a missing last letter', 'LOVELAC'],
    ['an extra letter', 'LOVVELACE'],
    ['an extra last letter', 'LOVELACES'],
    ['two swapped letters', 'LOVELCAE'],
    ['the last two letters swapped', 'LOVELAEC'],
  ])('%s', (_name, searched) => {
    expect(isOneTypo(searched, 'LOVELACE')).toBe(true);
    expect(share(searched, 'LOVELACE')).toBe(true);
  });

  test.each(['LOVELAND', 'LAVELASE', 'LOVELA', 'LOVELACERS', 'ELOVLACE', ''])('not %s', (searched) => {
    expect(isOneTypo(searched, 'LOVELACE')).toBe(false);
  });

  test('a letter of two code units counts as one', () => {
    expect(isOneTypo('𠮷田一', '𠮷田')).toBe(true);
    expect(spellingsOf('𠮷田')).toEqual(['𠮷田', '田', '𠮷']);
  });
});
