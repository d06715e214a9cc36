/** Letters that Unicode does not decompose into a base letter and an accent, upper-case. */
const plainLetters: Record<string, string> = {
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  Ħ: 'H',
  Ŧ: 'T',
  Ŋ: 'NG',
  Ə: 'E',
};
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/**
 * The combining accents of European scripts only. `\p{M}` would also drop the vowel signs of Indic scripts and the voicing
 * marks of Japanese, which distinguish names.
 */
const accent = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;

/**
 * Text without case, accents and extra spaces. Lower-case conversion comes before upper-case so that both forms of sharp
 * s become SS.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(accent, '')
    .toLowerCase()
    .toUpperCase()
    .replace(plainLetter, (letter) => plainLetters[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}
