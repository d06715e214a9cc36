/**
 * A column of many rows as one parameter: a PostgreSQL array in text form. For ids, numbers and days, which need no
 * quoting: the driver's own conversion takes several times as long.
 */
export const column = (values: ReadonlyArray<string | number | bigint | boolean | null>): string =>
  `{${values.map((value) => value ?? 'null').join(',')}}`;

/** A list in each row, as text: lists of different lengths cannot be an array of arrays. */
export const listColumn = (lists: ReadonlyArray<readonly string[]>): string =>
  `{${lists.map((list) => `"{${list.join(',')}}"`).join(',')}}`;
