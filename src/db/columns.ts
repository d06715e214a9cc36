/**
 * A column of many rows as one parameter, a PostgreSQL array in its text form. For ids, numbers and days, whose text
 * has nothing to quote: the driver, which must expect anything, takes several times as long over them.
 */
export const column = (values: ReadonlyArray<string | number | bigint | boolean | null>): string =>
  `{${values.map((value) => value ?? 'null').join(',')}}`;

/** A list in each row, as text: lists of different lengths cannot be an array of arrays. */
export const listColumn = (lists: ReadonlyArray<readonly string[]>): string =>
  `{${lists.map((list) => `"{${list.join(',')}}"`).join(',')}}`;
