import type { Channel } from '../../authorizations/rules/transaction.ts';

/** How a trade takes its money. */
export type Manner =
  /** What was held is what clears. */
  | 'plain'
  /** More clears than was held. */
  | 'tip'
  /** A round sum is held, less clears. */
  | 'fuel'
  /** Cleared when sent: whole, in parts, not at all, or sent back. */
  | 'order'
  | 'cash'
  /** Held for the whole stay, cleared by the night. */
  | 'stay';

export interface Trade {
  mcc: string;
  channel: Channel;
  manner: Manner;
  /** The usual span of a purchase, in euros. */
  eur: readonly [min: number, max: number];
  /** Local hours in which it sells. */
  hours: readonly [from: number, to: number];
  /** How much is bought there, on a weekday and at the weekend. */
  weight: readonly [weekday: number, weekend: number];
  names: readonly string[];
}

const trade = (
  mcc: string,
  channel: Channel,
  manner: Manner,
  eur: Trade['eur'],
  hours: Trade['hours'],
  weight: Trade['weight'],
  names: string,
): Trade => ({ mcc, channel, manner, eur, hours, weight, names: names.split(', ') });

/** In every city. */
// biome-ignore format: a table reads best as one
export const LOCAL_TRADES: readonly Trade[] = [
  trade('5411', 'POS', 'plain', [4, 140], [8, 21], [26, 30], 'Green Basket, Corner Market, Halfmoon Grocers, Daily Harvest'),
  trade('5462', 'POS', 'plain', [2, 22], [7, 13], [12, 10], 'Old Oven Bakery, Rye & Crumb, Poppyseed Bakery'),
  trade('5814', 'POS', 'plain', [2, 24], [7, 18], [18, 14], 'Little Kettle, Third Bean, Copper Cup, Harbour Espresso'),
  trade('5812', 'POS', 'tip', [14, 190], [12, 23], [8, 18], 'The Lantern, Casa Limone, Blue Pepper, Saffron House'),
  trade('5541', 'POS', 'fuel', [25, 95], [6, 22], [4, 5], 'Northway Fuel, Orbit Station, Ring Road Fuel'),
  trade('4111', 'POS', 'plain', [2, 40], [6, 22], [14, 5], 'City Transit, Metro Tickets'),
  trade('4121', 'ECOMMERCE', 'tip', [6, 70], [6, 24], [4, 8], 'Hopin Rides, Yellow Wheel'),
  trade('5912', 'POS', 'plain', [4, 80], [9, 19], [5, 3], 'Linden Pharmacy, Sun Pharmacy'),
  trade('5651', 'POS', 'plain', [15, 260], [10, 20], [3, 9], 'Wool & Wander, Seam Street, Field Coat'),
  trade('5942', 'POS', 'plain', [6, 70], [10, 20], [2, 4], 'Paper Lane Books, The Reading Room'),
  trade('5722', 'POS', 'plain', [30, 600], [10, 20], [1, 2], 'Homeware Hall, Volt & Valve'),
  trade('7832', 'POS', 'plain', [9, 45], [16, 23], [1, 5], 'Rialto Pictures, Moonlight Cinema'),
  trade('7230', 'POS', 'tip', [18, 120], [10, 19], [2, 2], 'Studio Shear, Cut & Comb'),
  trade('7523', 'POS', 'plain', [2, 35], [7, 22], [3, 4], 'Park & Walk, Central Parking'),
  trade('8011', 'POS', 'plain', [20, 180], [8, 17], [2, 0], 'Dr Rosental Practice, Elm Dental'),
  trade('6011', 'ATM', 'cash', [20, 300], [8, 23], [5, 6], 'Cash Point 12, Cash Point 47, Main Square ATM'),
];

// biome-ignore format: a table reads best as one
export const HOTELS =
  trade('7011', 'POS', 'stay', [70, 210], [14, 22], [0, 0], 'Hotel Miramar, The Old Mill Inn, Station Hotel');

/** Sold from one place to everywhere. */
export interface OnlineShop {
  trade: Trade;
  name: string;
  city: string;
  country: string;
  currency: string;
}

const shop = (
  name: string,
  [city, country, currency]: readonly [string, string, string],
  given: readonly [mcc: string, manner: Manner, min: number, max: number, weight: number],
): OnlineShop => {
  const [mcc, manner, min, max, weight] = given;
  return {
    name,
    city,
    country,
    currency,
    trade: trade(mcc, 'ECOMMERCE', manner, [min, max], [7, 24], [weight, weight], name),
  };
};

const BERLIN = ['Berlin', 'DE', 'EUR'] as const;
const AMSTERDAM = ['Amsterdam', 'NL', 'EUR'] as const;
const LONDON = ['London', 'GB', 'GBP'] as const;
const AUSTIN = ['Austin', 'US', 'USD'] as const;

export const ONLINE_SHOPS: readonly OnlineShop[] = [
  shop('Everyshelf', AMSTERDAM, ['5311', 'order', 8, 320, 16]),
  shop('Threadmill', BERLIN, ['5691', 'order', 20, 240, 9]),
  shop('Circuit Barn', AUSTIN, ['5732', 'order', 15, 700, 4]),
  shop('Doorstep Dinners', BERLIN, ['5814', 'tip', 12, 60, 14]),
  shop('Inkwell Books', LONDON, ['5942', 'order', 8, 70, 5]),
  shop('Swiftjet Airways', ['Dublin', 'IE', 'EUR'], ['4511', 'plain', 40, 520, 3]),
  shop('Railtrip', ['Paris', 'FR', 'EUR'], ['4112', 'order', 12, 180, 5]),
  shop('Pixel Forge Games', AUSTIN, ['5816', 'plain', 3, 70, 6]),
  shop('Garden & Gable', AMSTERDAM, ['5200', 'order', 15, 300, 3]),
  shop('Stagedoor Tickets', LONDON, ['7922', 'plain', 25, 190, 3]),
];

export const CASINO = shop('Lucky Clover Online', ['Valletta', 'MT', 'EUR'], ['7995', 'plain', 10, 120, 1]);

/** Charged every month. */
export const SUBSCRIPTIONS: readonly OnlineShop[] = [
  shop('Reelhouse', AMSTERDAM, ['4899', 'plain', 11.99, 11.99, 1]),
  shop('Tunewave', ['Stockholm', 'SE', 'EUR'], ['5815', 'plain', 9.99, 9.99, 1]),
  shop('Cloudloft', ['Dublin', 'IE', 'EUR'], ['7372', 'plain', 2.99, 9.99, 1]),
  shop('Pulse Gym', BERLIN, ['7997', 'plain', 29, 49, 1]),
  shop('Sparrow Mobile', BERLIN, ['4814', 'plain', 14.9, 34.9, 1]),
  shop('Wordsmith Pro', AUSTIN, ['5734', 'plain', 12, 20, 1]),
  shop('Morning Paper', LONDON, ['5968', 'plain', 6.5, 15, 1]),
];
