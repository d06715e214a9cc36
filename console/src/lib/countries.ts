import { iso31661Alpha2ToAlpha3 } from 'iso-3166';

export interface CountryChoice {
  value: string;
  label: string;
}

const names = new Intl.DisplayNames('en', { type: 'region' });
const byName = Object.entries(iso31661Alpha2ToAlpha3)
  .map(([alpha2, alpha3]) => ({ alpha2, alpha3, label: names.of(alpha2) ?? alpha2 }))
  .sort((one, other) => one.label.localeCompare(other.label, 'en'));

/** For a select: addresses of shipments have the short codes, KYC records the long ones. */
export const countryChoices = (code: 'alpha2' | 'alpha3'): CountryChoice[] =>
  byName.map((country) => ({ value: country[code], label: country.label }));

/** The name of a country by either of its codes; an unknown code is shown as it is. */
export const countryName = (code: string): string =>
  byName.find(({ alpha2, alpha3 }) => alpha2 === code || alpha3 === code)?.label ?? code;

/** Where a merchant is: `Berlin, Germany`. */
export const placeOf = ({ city, country }: { city: string | null; country: string | null }): string =>
  [city, country && countryName(country)].filter(Boolean).join(', ');
