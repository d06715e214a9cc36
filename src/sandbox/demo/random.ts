/** Chance that a seed decides: the same seed and name give the same numbers on every machine. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** Both ends included. */
  integer(min: number, max: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  pickWeighted<Item>(items: ReadonlyArray<readonly [Item, number]>): Item;
  /** Mostly small, now and then large, as amounts are. */
  skewed(min: number, max: number): number;
}

/** A name makes a stream of its own, so that one person's luck does not hang on another's. */
export function createRandom(seed: number, name: string): Random {
  const next = numbersFrom(hash(`${seed}/${name}`));
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: (share) => next() < share,
    pick: (items) => items[integer(0, items.length - 1)] as (typeof items)[number],
    pickWeighted: (items) => {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      return (items.at(-1) as (typeof items)[number])[0];
    },
    skewed: (min, max) => min + (max - min) * next() * next() * (0.4 + 0.6 * next()),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text)
    value = Math.imul(value ^ (character.codePointAt(0) as number), 0x01000193) >>> 0;
  return value;
}

/** Mulberry32. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
