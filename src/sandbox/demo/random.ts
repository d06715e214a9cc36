/** Seeded random numbers: the same seed and name give the same numbers on every machine. */
export type Random = ReturnType<typeof createRandom>;

/** Each name has its own stream, so that the numbers of one person do not depend on another. */
export function createRandom(seed: number, name: string) {
  const next = numbersFrom(hash(`${seed}/${name}`));
  /** Both ends inclusive. */
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: (share: number) => next() < share,
    pick: <Item>(items: readonly Item[]) => items[integer(0, items.length - 1)] as Item,
    pickWeighted: <Item>(items: ReadonlyArray<readonly [Item, number]>): Item => {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of items)
        if (left < weight) return item;
        else left -= weight;
      throw new RangeError('nothing to pick from');
    },
    /** Mostly small, rarely large, like real amounts. */
    skewed: (min: number, max: number) => min + (max - min) * next() * next() * (0.4 + 0.6 * next()),
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
