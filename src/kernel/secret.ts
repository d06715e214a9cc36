/**
 * A value that must never be printed. However one looks at it (log, JSON, template, inspect, spread) it
 * shows `[secret]`; only `reveal` and `bytesOf` give its content, so a search for them finds every place that sees it.
 * It is kept as bytes, because bytes can be overwritten: a string stays in memory until chance writes over it.
 */
declare const secretBrand: unique symbol;
export type Secret = { readonly [secretBrand]: true };

const MASK = '[secret]';

class Box {
  #bytes: Buffer | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    Object.freeze(this);
  }

  static read(box: object): Buffer | undefined {
    // What is no object is no secret, and an error of `in` would print it.
    return box instanceof Box && #bytes in box ? box.#bytes : undefined;
  }

  static wipe(box: object): void {
    if (!(box instanceof Box)) return;
    box.#bytes?.fill(0);
    box.#bytes = undefined;
  }
}

Object.assign(Box.prototype, {
  constructor: undefined,
  toString: () => MASK,
  toJSON: () => MASK,
  toLocaleString: () => MASK,
  valueOf: () => MASK,
  [Symbol.toPrimitive]: () => MASK,
  [Symbol.toStringTag]: MASK,
  [Symbol.for('nodejs.util.inspect.custom')]: () => MASK,
});
Object.freeze(Box.prototype);

/** Bytes become the secret's own: the caller must not use them any more. */
export const secret = (content: string | Buffer): Secret =>
  new Box(typeof content === 'string' ? Buffer.from(content) : content) as object as Secret;

/** The text, as a string that nothing can overwrite: only where text is needed. */
export const reveal = (box: Secret): string => bytesOf(box).toString();

/** The secret's own bytes, not a copy. */
export function bytesOf(box: Secret): Buffer {
  const bytes = Box.read(box);
  if (bytes === undefined) throw new TypeError('not a secret, or one that was wiped');
  return bytes;
}

/** Overwrites secrets that are no longer needed. Reading one afterwards is an error. */
export function wipe(...boxes: ReadonlyArray<Secret | undefined>): void {
  for (const box of boxes) if (box) Box.wipe(box);
}
