import { currencyDigits } from '../../kernel/currencies.ts';
import { createRandom } from './random.ts';

/** The program's currency. Purchases in other currencies are billed in it. */
export const CURRENCY = 'EUR';

/** The exchange rate of one euro, and the smallest note of a cash machine. */
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

/** The rate changes a little from day to day, so that a clearing is billed differently from its hold. */
export function billed(seed: number, amountMinor: bigint, currency: string, day: number): bigint {
  if (currency === CURRENCY || amountMinor === 0n) return amountMinor;
  const drift = 1 + createRandom(seed, `${currency} on ${day}`).integer(-90, 90) / 10_000;
  const eur = (Number(amountMinor) / unitOf(currency) / moneyOf(currency)[0]) * drift;
  return BigInt(Math.max(1, Math.round(eur * unitOf(CURRENCY))));
}

export const priced = (eur: number, currency: string): bigint =>
  BigInt(Math.max(1, Math.round(eur * moneyOf(currency)[0] * unitOf(currency))));

/** Rounded to whole notes. */
export function cash(eur: number, currency: string): bigint {
  const [perEuro, note] = moneyOf(currency);
  return BigInt(Math.max(1, Math.round((eur * perEuro) / note)) * note * unitOf(currency));
}
