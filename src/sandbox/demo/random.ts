import { createHash } from 'node:crypto';

export type Random = ReturnType<typeof createRandom>;

/** The same seed and name give the same numbers on every machine. Each person has a name, so none affects another. */
export function createRandom(seed: number, name: string) {
  let drawn = 0;
  const next = () =>
    createHash('sha256').update(`${seed}/${name}/${drawn++}`).digest().readUInt32BE() / 2 ** 32;
  /** Both ends inclusive. */
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: (share: number) => next() < share,
    pick: <Item>(items: readonly Item[]) => items[integer(0, items.length - 1)] as Item,
  };
}
