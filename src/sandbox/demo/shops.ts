import type { Merchant } from '../../authorizations/rules/transaction.ts';
import { type City, DESTINATIONS, HOMES } from './cities.ts';
import { type Manner, type Trade, trade } from './trades.ts';

/** A merchant with its trade and currency. */
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
