import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { Dice } from './dice.ts';
import { ODD_TEXTS, ODD_VALUES, spoilText, UNCLEAN_TEXTS } from './hostile.ts';
import type { Schema } from './operations.ts';

/** What the run knows that a field of this name can hold; undefined: nothing in particular. */
export type Known = (name: string) => unknown;

const WORDS: Record<string, string[]> = {
  date: ['1990-12-10', '2000-02-29', '2020-01-01', '2024-12-31', '1900-01-01', '9999-12-31', '2031-06-30'],
  'country-alpha-2': ['GB', 'DE', 'FR', 'US', 'CI'],
  'country-alpha-3': ['GBR', 'DEU', 'FRA', 'USA', 'CIV'],
  country: ['GB', 'GBR', 'DE', 'USA'],
  currency: ['EUR', 'USD', 'GBP', 'JPY', 'BHD', 'CLF'],
};
/** Wider than the truth: what they refuse is certainly wrong. */
const FORMATS: Record<string, RegExp> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'country-alpha-2': /^[A-Z]{2}$/,
  'country-alpha-3': /^[A-Z]{3}$/,
  country: /^[A-Z]{2,3}$/,
  currency: /^[A-Z]{3}$/,
};
const NUMBERS = [
  0, 1, 2, 10, 50, 44, 100, 250, 999, 0.01, 0.1, 12.5, 1000, 86_400, 1e6, 1e12, 0.001, 1e15, 1e21, -1, -0.5,
  1e-7,
];
const SAMPLES_OF_A_PATTERN = 40;

const ajv = new Ajv2020({ strict: false, formats: FORMATS });
const candidates = new WeakMap<Schema, unknown[]>();

export const fits = (schema: Schema, value: unknown): boolean => ajv.validate(schema, value);

/** A value that the schema allows, of texts that software often handles wrongly. */
export function validValue(schema: Schema, dice: Dice, known: Known, name = ''): unknown {
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return validValue(dice.pick(choices), dice, known, name);
  if (schema.type === 'object' || schema.properties)
    return (schema.properties ? undefined : known(name)) ?? validObject(schema, dice, known);
  if (schema.type === 'array') return validList(schema, dice, known, name);
  const special = dice.chance(0.9) ? known(name) : undefined;
  if (special !== undefined && fits(schema, special)) return special;
  const fitting = candidatesFor(schema);
  // The plain one most of the time: with every field odd, hardly a request would go through.
  return dice.chance(0.6) ? fitting[0] : dice.pick(fitting);
}

function validObject(schema: Schema, dice: Dice, known: Known): Record<string, unknown> {
  const required = new Set(schema.required ?? []);
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => required.has(name) || dice.chance(0.35))
    .map(([name, property]) => [name, validValue(property, dice, known, name)]);
  return Object.fromEntries([...entries, ...validPairs(schema, dice, known)]);
}

/** The names that an object without names of its own can have. */
const PAIR_NAMES = ['order_id', 'team', 'A.1-b', '0', 'constructor', 'toString', 'k'.repeat(40)];

function validPairs({ additionalProperties: value }: Schema, dice: Dice, known: Known) {
  if (typeof value !== 'object') return [];
  const names = PAIR_NAMES.filter(() => dice.chance(0.4));
  return names.map((name): [string, unknown] => [name, validValue(value, dice, known, name)]);
}

function validList(
  { items = {}, minItems = 0, maxItems = 3 }: Schema,
  dice: Dice,
  known: Known,
  name: string,
) {
  const length = Math.max(minItems, dice.below(Math.min(maxItems, 4) + 1));
  return Array.from({ length }, () => validValue(items, dice, known, name));
}

/** Every value we can think of that fits, the plainest first. */
function candidatesFor(schema: Schema): unknown[] {
  const made = candidates.get(schema);
  if (made) return made;
  const all = [
    ...(schema.examples ?? []),
    ...(schema.enum ?? []),
    ...('const' in schema ? [schema.const] : []),
    ...(WORDS[schema.format ?? ''] ?? []),
    ...(schema.pattern === undefined ? [] : textsOf(schema.pattern)),
    ...['plain text', 'ada@example.com', '12.50', '2029-11', '5411', '123', '9999000000000000'],
    ...NUMBERS,
    ...ODD_TEXTS.flatMap((text) => [text, cut(text, schema.maxLength ?? text.length)]),
    ...[true, false, null],
  ].filter((value) => fits(schema, value));
  if (all.length === 0) throw new Error(`nothing fits ${JSON.stringify(schema)}`);
  candidates.set(schema, all);
  return all;
}

/** Texts of a pattern, always the same ones; a pattern that looks ahead is left to the lists. */
function textsOf(pattern: string): string[] {
  try {
    return fc
      .sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: SAMPLES_OF_A_PATTERN, seed: 1 })
      .filter(isClean);
  } catch {
    return [];
  }
}

const isClean = (text: string): boolean => !/\p{Cc}/u.test(text) && text.isWellFormed();
const cut = (text: string, length: number): string => [...text].slice(0, length).join('');

/** A copy of a valid body with something wrong or odd in one field. */
export function spoilt(schema: Schema, body: unknown, dice: Dice): unknown {
  const copy = structuredClone(body);
  const fields = fieldsIn(copy);
  if (fields.length === 0) return dice.pick(ODD_VALUES);
  const { holder, name } = dice.pick(fields);
  const value = (holder as Record<string, unknown>)[name];
  const next = dice.below(6);
  if (next === 0 && !Array.isArray(holder)) delete (holder as Record<string, unknown>)[name];
  else
    (holder as Record<string, unknown>)[name] =
      next < 3 ? dice.pick(ODD_VALUES) : spoiltText(value, next, dice);
  return fits(schema, copy) && dice.chance(0.5) ? dice.pick(ODD_VALUES) : copy;
}

function spoiltText(value: unknown, way: number, dice: Dice): unknown {
  if (typeof value !== 'string') return dice.pick([...ODD_TEXTS, ...UNCLEAN_TEXTS]);
  if (way === 3) return dice.pick(ODD_TEXTS);
  return way === 4 ? spoilText(value, dice) : value + dice.pick(ODD_TEXTS);
}

interface Field {
  holder: object;
  name: string;
}

function fieldsIn(value: unknown): Field[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => [{ holder: value, name }, ...fieldsIn(child)]);
}

/** Whether a text somewhere in a value, or a name, is one that is refused everywhere. */
export function holdsUncleanText(value: unknown, takesInvisible: boolean): boolean {
  if (typeof value === 'string') return !isClean(value) || (!takesInvisible && INVISIBLE.test(value));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, child]) => !isClean(name) || holdsUncleanText(child, takesInvisible),
  );
}

/** The bidirectional controls and zero-width characters among our odd texts. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u2028\u2029\ufeff]/;
