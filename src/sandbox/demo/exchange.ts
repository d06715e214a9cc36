import { currencyDigits } from '../../kernel/currencies.ts';
import { createRandom } from './random.ts';

/** The demo's own currency; amounts of merchants elsewhere are billed in it. */
export const CURRENCY = 'EUR';
const PARTS = 1_000_000n;
const DRIFT_BPS = 90;

/** What one unit is worth, in millionths of a euro, and the smallest note that a machine gives. */
const MONEY: Readonly<Record<string, { rate: bigint; note: number }>> = {
  EUR: { rate: PARTS, note: 10 },
  GBP: { rate: 1_160_000n, note: 10 },
  CHF: { rate: 1_060_000n, note: 20 },
  PLN: { rate: 233_000n, note: 50 },
  USD: { rate: 920_000n, note: 20 },
  JPY: { rate: 6_150n, note: 1_000 },
  TRY: { rate: 26_500n, note: 100 },
  SEK: { rate: 88_000n, note: 100 },
  DKK: { rate: 134_000n, note: 100 },
  CZK: { rate: 39_800n, note: 200 },
  HUF: { rate: 2_530n, note: 5_000 },
  TND: { rate: 296_000n, note: 10 },
  AED: { rate: 250_000n, note: 50 },
  SGD: { rate: 685_000n, note: 10 },
};

const moneyOf = (currency: string) => {
  const known = MONEY[currency];
  if (!known) throw new RangeError(`the demo has no rate for ${currency}`);
  return known;
};
const unitOf = (currency: string): bigint => 10n ** BigInt(currencyDigits(currency));
const round = (value: bigint, divisor: bigint): bigint => (value + divisor / 2n) / divisor;

/** The day's rate differs a little from the day's before: what clears is billed otherwise than what was held. */
export function billed(seed: number, amountMinor: bigint, currency: string, day: number): bigint {
  if (currency === CURRENCY) return amountMinor;
  const driftBps = createRandom(seed, `${currency} on ${day}`).integer(-DRIFT_BPS, DRIFT_BPS);
  const rate = (moneyOf(currency).rate * BigInt(10_000 + driftBps)) / 10_000n;
  return round(amountMinor * rate * unitOf(CURRENCY), unitOf(currency) * PARTS) || 1n;
}

/** A price of about so many euros, as it stands on a tag there. */
export function priced(eur: number, currency: string): bigint {
  const cents = BigInt(Math.round(eur * 100));
  const minor = round(cents * PARTS * unitOf(currency), moneyOf(currency).rate * unitOf(CURRENCY));
  const unit = unitOf(currency);
  if (minor < 10n * unit || unit === 1n) return unit === 1n ? round(minor, 10n) * 10n || 10n : minor;
  const endings = [unit - unit / 100n, unit / 2n, 0n, minor % unit];
  return (minor / unit) * unit + (endings[Number(minor % 4n)] as bigint);
}

/** In notes. */
export function cash(eur: number, currency: string): bigint {
  const { rate, note } = moneyOf(currency);
  const units = round(BigInt(Math.round(eur)) * PARTS, rate);
  const notes = round(units, BigInt(note)) || 1n;
  return notes * BigInt(note) * unitOf(currency);
}
