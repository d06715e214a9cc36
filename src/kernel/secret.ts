/**
 * A value that must never be printed. However one looks at it (log, JSON, template, inspect, spread) it
 * shows `[secret]`; only `reveal` gives the text, so a search for `reveal(` finds every place that sees it.
 */
declare const secretBrand: unique symbol;
export type Secret = { readonly [secretBrand]: true };

const MASK = '[secret]';
const texts = new WeakMap<object, string>();

const prototype = Object.freeze({
  toString: () => MASK,
  toJSON: () => MASK,
  toLocaleString: () => MASK,
  valueOf: () => MASK,
  [Symbol.toPrimitive]: () => MASK,
  [Symbol.toStringTag]: MASK,
  [Symbol.for('nodejs.util.inspect.custom')]: () => MASK,
});

export function secret(text: string): Secret {
  const box = Object.freeze(Object.create(prototype)) as Secret;
  texts.set(box, text);
  return box;
}

export function reveal(box: Secret): string {
  const text = texts.get(box);
  if (text === undefined) throw new TypeError('not a secret');
  return text;
}
