import { type TSchema, Type } from 'typebox';
import { badRequest, errorResponses } from '../http/schemas.ts';
import { invalid } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';

/** What all of the console's queries share. */
export const ProgramPath = Type.Object({ programId: Type.String({ description: 'Program id.' }) });
export const CardOfProgramPath = Type.Object({
  ...ProgramPath.properties,
  cardId: Type.String({ description: 'Card id.' }),
});

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
export const text = Type.String();
export const nullableText = nullable(text);
export const timestamp = (description?: string) =>
  Type.String({ examples: ['2026-11-15T08:30:00+0000'], ...(description && { description }) });
export const decimal = (description?: string) =>
  Type.String({ examples: ['12.50'], ...(description && { description }) });

export const before = Type.Optional(
  Type.String({
    description: 'Value of `next` in the previous response: returns only records older than this one.',
  }),
);

export const next = nullable(
  Type.String({ description: 'Send it as `before` to get older records; null if there are none.' }),
);

/** The id to go on from, or a 400. */
export function readBefore(given: string | undefined): string | undefined {
  if (given !== undefined && !isId(given)) throw invalid('before', 'must be a record id from `next`');
  return given;
}

/** A page that was read with one record more than it shows. */
export function pageOfRecords<Item extends { id: string }>(records: Item[], pageSize: number) {
  const results = records.slice(0, pageSize);
  return { results, next: records.length > pageSize ? (results.at(-1)?.id ?? null) : null };
}

/** The errors that every query may answer with: a program may be none of the operator's, which is a 404. */
export const queryErrors = (refusal: string) => ({
  ...badRequest([400, refusal]),
  ...errorResponses(401, 403, 404, 500, 503),
});

export const PAGE_SIZE = 50;
