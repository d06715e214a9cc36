import { iso31661 } from 'iso-3166';

const alpha2 = new Set(iso31661.map((country) => country.alpha2));
const alpha3 = new Set(iso31661.map((country) => country.alpha3));

/** ISO 3166-1 alpha-2, upper case. */
export const isCountryAlpha2 = (code: string): boolean => alpha2.has(code);

/** ISO 3166-1 alpha-3, upper case. */
export const isCountryAlpha3 = (code: string): boolean => alpha3.has(code);
