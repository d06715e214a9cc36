/**
 * A column of many rows as one parameter: a PostgreSQL array in text form. For ids, numbers and days, which need no
 * quoting: the driver's own conversion takes several times as long.
 */
export const column = (values: ReadonlyArray<string | number | bigint | boolean | null>): string =>
  `{${values.map((value) => value ?? 'null').join(',')}}`;

/** The same for bytes. */
export const bytesColumn = (values: ReadonlyArray<Buffer | null>): string =>
  column(values.map((value) => value && `\\\\x${value.toString('hex')}`));

/**
 * In a `select` list: the rows of such columns. The first column is parameter `$first`; a shorter one is filled with nulls.
 * In `from`, PostgreSQL would store each column before it reads the rows, which takes a tenth of an insertion.
 */
export const unnested = (first: number, types: string): string =>
  types
    .split(/\s+/)
    .map((type, index) => `unnest($${first + index}::${type}[])`)
    .join(', ');

const OTHER_ESCAPE = /\\[^"]/;

/**
 * The same for any text. JSON quotes texts as PostgreSQL does, except for control characters. A column with any escape
 * but that of a quotation mark is left to the driver.
 */
export function textColumn(values: ReadonlyArray<string | null>): string | typeof values {
  const json = JSON.stringify(values);
  return OTHER_ESCAPE.test(json) ? values : `{${json.slice(1, -1)}}`;
}

/** The same where most rows have nothing: empty if none has any, and `unnest` fills it with nulls. */
export const rareColumn = (values: ReadonlyArray<string | null>): string | ReadonlyArray<string | null> =>
  values.some((value) => value !== null) ? textColumn(values) : '{}';

/** A list in each row, as text: lists of different lengths cannot be an array of arrays. */
export const listColumn = (lists: ReadonlyArray<readonly string[]>): string =>
  `{${lists.map((list) => `"{${list.join(',')}}"`).join(',')}}`;
