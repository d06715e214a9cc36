import { seededRandom } from '../support/scripts/random.ts';

/** All random choices of a run: the same seed makes the same choices. */
export interface Dice {
  /** True in `share` of all throws. */
  chance(share: number): boolean;
  /** 0 up to but not including `end`. */
  below(end: number): number;
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T;
}

export function dice(seed: number): Dice {
  const random = seededRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  return {
    chance: (share) => random() < share,
    below,
    pick: (items) => {
      if (items.length === 0) throw new Error('there is nothing to choose from');
      return items[below(items.length)] as (typeof items)[number];
    },
  };
}
