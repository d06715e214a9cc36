import type { Money } from '../../authorizations/core/message.ts';
import type { Channel } from '../../authorizations/core/transaction.ts';
import type { Acceptor } from '../../cards/read-network.ts';
import { currencyDigits } from '../../kernel/currencies.ts';
import { createRandom, type Random } from './random.ts';

/** The program's currency. Purchases in other currencies are billed in it. */
export const CURRENCY = 'EUR';

/** The exchange rate of one euro. Yen have no decimals, dinars have three. */
const PER_EURO = { EUR: 1, GBP: 0.86, CHF: 0.94, PLN: 4.29, USD: 1.09, JPY: 163, TND: 3.38 };
type Currency = keyof typeof PER_EURO;

export interface City {
  name: string;
  country: string;
  countryAlpha3: string;
  dialCode: number;
  currency: Currency;
}
const BERLIN: City = { name: 'Berlin', country: 'DE', countryAlpha3: 'DEU', dialCode: 49, currency: 'EUR' };
const BOSTON: City = { name: 'Boston', country: 'US', countryAlpha3: 'USA', dialCode: 1, currency: 'USD' };
const TOKYO: City = { name: 'Tokyo', country: 'JP', countryAlpha3: 'JPN', dialCode: 81, currency: 'JPY' };
const TUNIS: City = { name: 'Tunis', country: 'TN', countryAlpha3: 'TUN', dialCode: 216, currency: 'TND' };

/** The cities in which cardholders live. */
export const HOMES: readonly City[] = [
  BERLIN,
  { name: 'Paris', country: 'FR', countryAlpha3: 'FRA', dialCode: 33, currency: 'EUR' },
  { name: 'Lisbon', country: 'PT', countryAlpha3: 'PRT', dialCode: 351, currency: 'EUR' },
  { name: 'Athens', country: 'GR', countryAlpha3: 'GRC', dialCode: 30, currency: 'EUR' },
  { name: 'London', country: 'GB', countryAlpha3: 'GBR', dialCode: 44, currency: 'GBP' },
  { name: 'Warsaw', country: 'PL', countryAlpha3: 'POL', dialCode: 48, currency: 'PLN' },
  { name: 'Zurich', country: 'CH', countryAlpha3: 'CHE', dialCode: 41, currency: 'CHF' },
];

export interface Trade {
  names: string[];
  mcc: string;
  channel: Channel;
  /** The usual prices in euros. */
  eur: readonly [min: number, max: number];
  /** The percentages of the held amount that may clear. Default: all of it. */
  clears?: number[];
  /** The seat of an online shop; other shops exist in every city. */
  seat?: City;
}
export const ATM: Trade = { names: ['Cash Point', 'City ATM'], mcc: '6011', channel: 'ATM', eur: [20, 300] };
export const CASINO: Trade = { names: ['Lucky Clover'], mcc: '7995', channel: 'ECOMMERCE', eur: [10, 120] };

/** Each with its share of all purchases, in percent. */
// biome-ignore format: a table reads best as one
const TRADES: ReadonlyArray<[percent: number, Trade]> = [
  [22, { names: ['Green Basket', 'Corner Market', 'Daily Harvest'], mcc: '5411', channel: 'POS', eur: [4, 140] }],
  [18, { names: ['Little Kettle', 'Third Bean', 'Copper Cup'], mcc: '5814', channel: 'POS', eur: [2, 24] }],
  [10, { names: ['The Lantern', 'Casa Limone', 'Saffron House'], mcc: '5812', channel: 'POS', eur: [14, 190], clears: [100, 110, 115] }],
  [8, { names: ['City Transit', 'Metro Tickets', 'Yellow Wheel'], mcc: '4111', channel: 'POS', eur: [2, 40] }],
  [4, { names: ['Northway Fuel', 'Ring Road Fuel', 'Mill Fuel'], mcc: '5541', channel: 'POS', eur: [120, 120], clears: [31, 42, 57, 73] }],
  [4, { names: ['Linden Pharmacy', 'Sun Pharmacy', 'Elm Pharmacy'], mcc: '5912', channel: 'POS', eur: [4, 80] }],
  [4, { names: ['Wool & Wander', 'Seam Street', 'Loom'], mcc: '5651', channel: 'POS', eur: [15, 260] }],
  [4, ATM],
  [18, { names: ['Everyshelf', 'Threadmill', 'Inkwell Books'], mcc: '5311', channel: 'ECOMMERCE', eur: [8, 320], seat: BERLIN }],
  [6, { names: ['Circuit Barn', 'Pixel Forge Games'], mcc: '5732', channel: 'ECOMMERCE', eur: [3, 290], seat: BOSTON }],
  [1, { names: ['Sakura Paper'], mcc: '5943', channel: 'ECOMMERCE', eur: [8, 90], seat: TOKYO }],
  [1, { names: ['Medina Rugs'], mcc: '5713', channel: 'ECOMMERCE', eur: [30, 240], seat: TUNIS }],
];

/** Each trade as often as its share, to pick one at random. */
export const PURCHASES: readonly Trade[] = TRADES.flatMap(([percent, trade]) =>
  Array<Trade>(percent).fill(trade),
);

/** One shop of the trade, and a price there. Cash is a whole number of notes. */
export function pickShop(random: Random, trade: Trade, where: City, taste = 1) {
  const { name: city, countryAlpha3: country, currency } = trade.seat ?? where;
  const name = random.pick(trade.names);
  const id = `${country}-${city}-${name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const acceptor: Acceptor = { id, name, mcc: trade.mcc, city, country };
  const [min, max] = trade.eur;
  // Mostly small, rarely large, like real amounts.
  const eur = min + (max - min) * taste * random.next() * random.next() * (0.4 + 0.6 * random.next());
  const unit = 10 ** currencyDigits(currency);
  const note = trade.channel === 'ATM' ? 10 ** Math.round(Math.log10(10 * PER_EURO[currency])) * unit : 1;
  const amountMinor = BigInt(Math.ceil((eur * PER_EURO[currency] * unit) / note) * note);
  return { acceptor, channel: trade.channel, currency, amountMinor };
}
export type Shop = ReturnType<typeof pickShop>;

/** A part of the price on a day. The rate changes a little, so that a clearing is billed differently from its hold. */
export function moneyOn(
  day: number,
  seed: number,
  { amountMinor: priceMinor, currency }: Shop,
  percent: number,
): Money {
  const amountMinor = (priceMinor * BigInt(percent)) / 100n;
  if (currency === CURRENCY) return { amountMinor, currency, billAmountMinor: amountMinor };
  const drift = 1 + createRandom(seed, `${currency} on ${day}`).integer(-90, 90) / 10_000;
  const eur = Number(amountMinor) / 10 ** currencyDigits(currency) / PER_EURO[currency];
  return { amountMinor, currency, billAmountMinor: BigInt(Math.max(1, Math.round(eur * drift * 100))) };
}
