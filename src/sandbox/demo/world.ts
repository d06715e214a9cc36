import type { Channel, Merchant } from '../../authorizations/transaction.ts';
import { currencyDigits } from '../../kernel/currencies.ts';
import { createRandom } from './random.ts';

/** The currency of the program; amounts of merchants elsewhere are billed in it. */
export const CURRENCY = 'EUR';

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

/** Where cardholders live. */
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

/** Where they travel to. */
export const DESTINATIONS = [
  'New York, US, USA, USD, 1, -5',
  'Tokyo, JP, JPN, JPY, 81, 9',
  'Istanbul, TR, TUR, TRY, 90, 3',
  'Stockholm, SE, SWE, SEK, 46, 1',
  'Prague, CZ, CZE, CZK, 420, 1',
  'Tunis, TN, TUN, TND, 216, 1',
].map(cityOf);

/** What one euro buys, and the smallest note that a cash machine gives. */
const MONEY: Readonly<Record<string, [perEuro: number, note: number]>> = {
  EUR: [1, 10],
  GBP: [0.86, 10],
  CHF: [0.94, 20],
  PLN: [4.29, 50],
  USD: [1.09, 20],
  JPY: [163, 1_000],
  TRY: [38, 100],
  SEK: [11.4, 100],
  CZK: [25.1, 200],
  TND: [3.38, 10],
};
const moneyOf = (currency: string) => MONEY[currency] as [number, number];
const unitOf = (currency: string): number => 10 ** currencyDigits(currency);

/** The rate moves a little from day to day: a clearing is billed differently from its hold. */
export function billed(seed: number, amountMinor: bigint, currency: string, day: number): bigint {
  if (currency === CURRENCY || amountMinor === 0n) return amountMinor;
  const drift = 1 + createRandom(seed, `${currency} on ${day}`).integer(-90, 90) / 10_000;
  const eur = (Number(amountMinor) / unitOf(currency) / moneyOf(currency)[0]) * drift;
  return BigInt(Math.max(1, Math.round(eur * unitOf(CURRENCY))));
}

export const priced = (eur: number, currency: string): bigint =>
  BigInt(Math.max(1, Math.round(eur * moneyOf(currency)[0] * unitOf(currency))));

/** In notes. */
export function cash(eur: number, currency: string): bigint {
  const [perEuro, note] = moneyOf(currency);
  return BigInt(Math.max(1, Math.round((eur * perEuro) / note)) * note * unitOf(currency));
}

/**
 * How a shop takes its money. `plain`: what was held clears; `tip`: more clears; `fuel`: a round sum is held, less
 * clears; `order`: cleared when sent; `stay`: held for all nights, cleared by the night.
 */
export type Manner = 'plain' | 'tip' | 'fuel' | 'order' | 'cash' | 'stay';

export interface Trade {
  mcc: string;
  channel: Channel;
  manner: Manner;
  /** The usual price, in euros. */
  eur: readonly [min: number, max: number];
  /** Local opening hours. */
  hours: readonly [from: number, to: number];
  /** How often people buy there. */
  weight: number;
  names: string[];
}

const trade = (
  mcc: string,
  channel: Channel,
  manner: Manner,
  eur: Trade['eur'],
  hours: Trade['hours'],
  weight: number,
  names: string,
): Trade => ({ mcc, channel, manner, eur, hours, weight, names: names.split(', ') });

export const ATM = trade('6011', 'ATM', 'cash', [20, 300], [8, 23], 5, 'Cash Point 12, Main Square ATM');
export const HOTEL = trade('7011', 'POS', 'stay', [70, 210], [14, 22], 0, 'Hotel Miramar, The Old Mill Inn');

/** In every city. */
// biome-ignore format: a table reads best as one
export const LOCAL_TRADES: readonly Trade[] = [
  trade('5411', 'POS', 'plain', [4, 140], [8, 21], 28, 'Green Basket, Corner Market, Daily Harvest'),
  trade('5462', 'POS', 'plain', [2, 22], [7, 13], 11, 'Old Oven Bakery, Rye & Crumb'),
  trade('5814', 'POS', 'plain', [2, 24], [7, 18], 16, 'Little Kettle, Third Bean, Copper Cup'),
  trade('5812', 'POS', 'tip', [14, 190], [12, 23], 12, 'The Lantern, Casa Limone, Saffron House'),
  trade('5541', 'POS', 'fuel', [25, 95], [6, 22], 5, 'Northway Fuel, Ring Road Fuel'),
  trade('4111', 'POS', 'plain', [2, 40], [6, 22], 10, 'City Transit, Metro Tickets'),
  trade('4121', 'ECOMMERCE', 'tip', [6, 70], [6, 24], 6, 'Hopin Rides, Yellow Wheel'),
  trade('5912', 'POS', 'plain', [4, 80], [9, 19], 4, 'Linden Pharmacy, Sun Pharmacy'),
  trade('5651', 'POS', 'plain', [15, 260], [10, 20], 5, 'Wool & Wander, Seam Street'),
  trade('5942', 'POS', 'plain', [6, 70], [10, 20], 3, 'Paper Lane Books, The Reading Room'),
  trade('5722', 'POS', 'plain', [30, 600], [10, 20], 1, 'Homeware Hall, Volt & Valve'),
  trade('7832', 'POS', 'plain', [9, 45], [16, 23], 2, 'Rialto Pictures, Moonlight Cinema'),
  trade('8011', 'POS', 'plain', [20, 180], [8, 17], 1, 'Dr Rosental Practice, Elm Dental'),
  ATM,
];

/** A place to spend money at. */
export interface Shop {
  merchant: Merchant;
  trade: Trade;
  currency: string;
}

const shopOf = (name: string, trade: Trade, { name: city, country, currency }: City): Shop => {
  const id = `${country}-${city}-${name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return { trade, currency, merchant: { id, name, mcc: trade.mcc, city, country } };
};

export const localShops = (city: City, trade: Trade): Shop[] =>
  trade.names.map((name) => shopOf(name, trade, city));

function online(name: string, at: string, mcc: string, manner: Manner, eur: Trade['eur'], weight = 1): Shop {
  const city = [...HOMES, ...DESTINATIONS].find((each) => each.name === at) as City;
  return shopOf(name, trade(mcc, 'ECOMMERCE', manner, eur, [7, 24], weight, name), city);
}

export const ONLINE_SHOPS: readonly Shop[] = [
  online('Everyshelf', 'Amsterdam', '5311', 'order', [8, 320], 16),
  online('Threadmill', 'Berlin', '5691', 'order', [20, 240], 9),
  online('Circuit Barn', 'New York', '5732', 'order', [15, 700], 4),
  online('Doorstep Dinners', 'Berlin', '5814', 'tip', [12, 60], 14),
  online('Inkwell Books', 'London', '5942', 'order', [8, 70], 5),
  online('Swiftjet Airways', 'Dublin', '4511', 'plain', [40, 520], 3),
  online('Pixel Forge Games', 'New York', '5816', 'plain', [3, 70], 6),
  online('Stagedoor Tickets', 'London', '7922', 'plain', [25, 190], 3),
];

export const CASINO = online('Lucky Clover Online', 'Dublin', '7995', 'plain', [10, 120]);

/** Charged every month. */
export const SUBSCRIPTIONS: readonly Shop[] = [
  online('Reelhouse', 'Amsterdam', '4899', 'plain', [11.99, 11.99]),
  online('Cloudloft', 'Dublin', '7372', 'plain', [2.99, 2.99]),
  online('Pulse Gym', 'Berlin', '7997', 'plain', [39, 39]),
  online('Sparrow Mobile', 'Berlin', '4814', 'plain', [19.9, 19.9]),
  online('Wordsmith Pro', 'New York', '5734', 'plain', [12, 12]),
];
