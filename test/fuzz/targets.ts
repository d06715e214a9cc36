import type { Dice } from './dice.ts';
import type { Operation } from './operations.ts';
import { type Known, validValue } from './values.ts';

export const pathParameters = ({ template }: Operation, known: Known): Record<string, string> =>
  Object.fromEntries(
    [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, String(known(name))]),
  );

export function validQuery({ query }: Operation, dice: Dice, known: Known): Array<[string, string]> {
  return query
    .filter(({ required }) => required || dice.chance(0.25))
    .flatMap(({ name, schema }): Array<[string, string]> => {
      const value = validValue(schema, dice, known, name);
      if (typeof value !== 'object' || value === null) return [[name, String(value)]];
      return Object.entries(value)
        .slice(0, 1)
        .map(([key, text]) => [`${name}[${key}]`, String(text)]);
    });
}

export const escaped = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');

export function targetOf(
  { template }: Operation,
  parameters: Record<string, string>,
  query: Array<[string, string]>,
): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => escaped(parameters[name] as string));
  return query.length === 0
    ? path
    : `${path}?${query.map(([name, text]) => `${name}=${escaped(text)}`).join('&')}`;
}
