import type { Channel } from '../../authorizations/rules/transaction.ts';

/**
 * How a shop charges. `plain`: the held amount clears; `tip`: more clears; `fuel`: a round amount is held, less clears;
 * `order`: clears when it is shipped; `stay`: all nights are held, each night clears separately.
 */
export type Manner = 'plain' | 'tip' | 'fuel' | 'order' | 'cash' | 'stay';

export interface Trade {
  mcc: string;
  channel: Channel;
  manner: Manner;
  /** The usual prices in euros. */
  eur: readonly [min: number, max: number];
  /** Local opening hours. */
  hours: readonly [from: number, to: number];
  /** The relative frequency of purchases. */
  weight: number;
  names: string[];
}

export const trade = (
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

/** Trades in every city. */
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
