import { iso31661 } from 'iso-3166';

const alpha2 = new Set(iso31661.map((country) => country.alpha2));
const alpha3 = new Set(iso31661.map((country) => country.alpha3));

/** ISO 3166-1 alpha-2, upper case. */
export const isCountryAlpha2 = (code: string): boolean => alpha2.has(code);

/** ISO 3166-1 alpha-3, upper case. */
export const isCountryAlpha3 = (code: string): boolean => alpha3.has(code);

/** Kosovo has no ISO code; networks use these. */
const KOSOVO = [
  ['XK', 'XKX'],
  ['XKX', 'XKX'],
] as const;

const alpha3Of = new Map<string, string>([
  ...iso31661.flatMap(({ alpha2: two, alpha3: three, numeric }) =>
    [two, three, numeric].map((code) => [code, three] as const),
  ),
  ...KOSOVO,
]);

/** The alpha-3 code of a country given as alpha-2, alpha-3 or numeric code; null if it is unknown. */
export const toAlpha3 = (code: string | number): string | null =>
  alpha3Of.get(typeof code === 'number' ? String(code).padStart(3, '0') : code.trim().toUpperCase()) ?? null;
