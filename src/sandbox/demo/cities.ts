export interface City {
  name: string;
  country: string;
  countryAlpha3: string;
  currency: string;
  dialCode: number;
  /** Without summer time. */
  utcOffsetHours: number;
}

function cityOf(row: string): City {
  const [name = '', country = '', countryAlpha3 = '', currency = '', dialCode, offset] = row.split(', ');
  return {
    name,
    country,
    countryAlpha3,
    currency,
    dialCode: Number(dialCode),
    utcOffsetHours: Number(offset),
  };
}

/** The cities in which cardholders live. */
export const HOMES = [
  'Berlin, DE, DEU, EUR, 49, 1',
  'Vienna, AT, AUT, EUR, 43, 1',
  'Paris, FR, FRA, EUR, 33, 1',
  'Madrid, ES, ESP, EUR, 34, 1',
  'Lisbon, PT, PRT, EUR, 351, 0',
  'Milan, IT, ITA, EUR, 39, 1',
  'Amsterdam, NL, NLD, EUR, 31, 1',
  'Dublin, IE, IRL, EUR, 353, 0',
  'Athens, GR, GRC, EUR, 30, 2',
  'London, GB, GBR, GBP, 44, 0',
  'Warsaw, PL, POL, PLN, 48, 1',
  'Zurich, CH, CHE, CHF, 41, 1',
].map(cityOf);

/** The cities to which they travel. */
export const DESTINATIONS = [
  'New York, US, USA, USD, 1, -5',
  'Tokyo, JP, JPN, JPY, 81, 9',
  'Istanbul, TR, TUR, TRY, 90, 3',
  'Stockholm, SE, SWE, SEK, 46, 1',
  'Prague, CZ, CZE, CZK, 420, 1',
  'Tunis, TN, TUN, TND, 216, 1',
].map(cityOf);
