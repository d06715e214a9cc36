import type { Merchant } from '../../authorizations/rules/transaction.ts';
import type { City } from './cities.ts';
import { createRandom } from './random.ts';
import type { OnlineShop, Trade } from './trades.ts';

/** A place to spend money at, and how it takes it. */
export interface Shop {
  merchant: Merchant;
  trade: Trade;
  currency: string;
}

const LOCAL_RIVALS = 2;

/** The few shops of one trade in one city: the same people meet the same shops again. */
export function localShops(seed: number, city: City, trade: Trade): Shop[] {
  const random = createRandom(seed, `${trade.mcc} in ${city.name}`);
  const names = new Set(Array.from({ length: LOCAL_RIVALS }, () => random.pick(trade.names)));
  return [...names].map((name) => ({
    trade,
    currency: city.currency,
    merchant: merchantOf(name, trade.mcc, city.name, city.country),
  }));
}

export const onlineShop = ({ trade, name, city, country, currency }: OnlineShop): Shop => ({
  trade,
  currency,
  merchant: merchantOf(name, trade.mcc, city, country),
});

const merchantOf = (name: string, mcc: string, city: string, country: string): Merchant => ({
  id: `${country}-${city}-${name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
  name,
  mcc,
  city,
  country,
});
