import { Type } from 'typebox';
import { nullable } from '../http/schemas.ts';
import { invalid } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';

/** Schemas that all console queries share. */
export const ProgramPath = Type.Object({ programId: Type.String({ description: 'Program id.' }) });
export const CardOfProgramPath = Type.Object({
  ...ProgramPath.properties,
  cardId: Type.String({ description: 'Card id.' }),
});

/** The operator's password and code, in the body of a dangerous request. `when`: when they are required. */
export const confirmationFields = (when: string) => ({
  password: Type.Optional(
    Type.String({ maxLength: 256, writeOnly: true, description: `The operator's password. ${when}` }),
  ),
  code: Type.Optional(
    Type.String({
      maxLength: 64,
      writeOnly: true,
      description: 'Code of the second factor, if the operator has one.',
    }),
  ),
});

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

/** The id to continue from. Throws a 400 for any other text. */
export function readBefore(given: string | undefined): string | undefined {
  if (given !== undefined && !isId(given)) throw invalid('before', 'must be a record id from `next`');
  return given;
}

/** Builds a page from `pageSize + 1` records; the extra one shows that there are more. */
export function pageOfRecords<Item extends { id: string }>(records: Item[], pageSize: number) {
  const results = records.slice(0, pageSize);
  return { results, next: records.length > pageSize ? (results.at(-1)?.id ?? null) : null };
}

export const PAGE_SIZE = 50;
