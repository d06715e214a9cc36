/** The text of an id. */
const ID_BYTES = 36;
/** A guess; longer names take more. */
const NAME_BYTES = 32;
/** Of the slots, so many are taken at most: what is looked for is near the place where it should be. */
const FULL = 0.75;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Where nothing is. */
export const NONE = -1;

/**
 * Names of cards by their ids, which are looked for where they stand in the bytes of a report. It is a few large pieces
 * of memory: a hundred thousand texts in a map would be several times as much, and more again while the collector
 * takes its time with what they leave behind.
 */
export interface NameTable {
  count(): number;
  /** The slot of the card whose id begins at `at`; `NONE`: not known. */
  find(bytes: Buffer, at: number): number;
  add(cardId: string, name: string): void;
  lengthOf(slot: number): number;
  /** Writes the name and gives its length. */
  copyName(slot: number, target: Buffer, at: number): number;
}

/** Of so many names at most. Memory is taken as it is filled. */
export function createNameTable(capacity: number): NameTable {
  const slots = Math.ceil(capacity / FULL);
  const ids = Buffer.alloc(slots * ID_BYTES);
  // Of each slot, the end of its name and its length; an end of 0 is an empty slot, since the texts begin at 1.
  const places = new Int32Array(2 * slots);
  let texts = Buffer.alloc(1 + NAME_BYTES * capacity);
  let textsEnd = 1;
  let count = 0;

  const endOf = (slot: number) => places[2 * slot] as number;
  const lengthOf = (slot: number) => places[2 * slot + 1] as number;

  /** Its own slot, or the empty one where it would be. */
  function slotOf(bytes: Buffer, at: number): number {
    let slot = hashOf(bytes, at) % slots;
    while (endOf(slot) !== 0 && !isAt(slot, bytes, at)) slot = (slot + 1) % slots;
    return slot;
  }

  const isAt = (slot: number, bytes: Buffer, at: number): boolean =>
    bytes.compare(ids, slot * ID_BYTES, (slot + 1) * ID_BYTES, at, at + ID_BYTES) === 0;

  return {
    count: () => count,
    find: (bytes, at) => {
      const slot = slotOf(bytes, at);
      return endOf(slot) === 0 ? NONE : slot;
    },
    add: (cardId, name) => {
      if (count === capacity) throw new Error('the table of names is full');
      const id = Buffer.from(cardId, 'latin1');
      const slot = slotOf(id, 0);
      if (endOf(slot) !== 0) return;
      const length = Buffer.byteLength(name);
      if (textsEnd + length > texts.length) texts = Buffer.concat([texts], 2 * (textsEnd + length));
      texts.write(name, textsEnd);
      textsEnd += length;
      id.copy(ids, slot * ID_BYTES);
      places.set([textsEnd, length], 2 * slot);
      count++;
    },
    lengthOf,
    copyName: (slot, target, at) => texts.copy(target, at, endOf(slot) - lengthOf(slot), endOf(slot)),
  };
}

/** Of the end of the id, which is random: the beginning is a time. */
function hashOf(bytes: Buffer, at: number): number {
  let hash = FNV_START;
  for (let place = at + ID_BYTES - 12; place < at + ID_BYTES; place++)
    hash = Math.imul(hash ^ (bytes[place] as number), FNV_PRIME);
  return hash >>> 0;
}
