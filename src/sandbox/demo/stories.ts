/** What befalls a cardholder beside shopping. */
export type Story =
  | 'nothing'
  | 'travels'
  | 'freezes'
  | 'loses'
  | 'is robbed'
  | 'is attacked'
  | 'is renewed'
  | 'expires'
  | 'has limits'
  | 'may not gamble';

/** By place, not by chance: however few cards there are, the first ones have something to show. */
const STORIES: Readonly<Record<number, Story>> = {
  0: 'travels',
  1: 'freezes',
  2: 'loses',
  3: 'may not gamble',
  4: 'has limits',
  5: 'is renewed',
  6: 'is attacked',
  7: 'travels',
  9: 'expires',
  12: 'freezes',
  15: 'travels',
  18: 'has limits',
  21: 'is robbed',
  24: 'travels',
  29: 'has limits',
  32: 'freezes',
  36: 'travels',
  39: 'may not gamble',
  42: 'travels',
  45: 'loses',
};
const PERIOD = 50;

export const storyOf = (index: number): Story => STORIES[index % PERIOD] ?? 'nothing';
