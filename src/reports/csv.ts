/** Of every report file. */
export const CSV_TYPE = 'text/csv; charset=utf-8';

/**
 * Matches text that a spreadsheet would run as a formula: a sign at the start of a cell, including full-width signs and
 * signs after blanks or invisible characters; or a tab or line break at the start, which some programs strip. In
 * locales with decimal commas a semicolon starts a new cell, and quotes after it are stripped. PostgreSQL and
 * JavaScript read this expression in the same way.
 */
const BLANKS =
  ' \\t\\r\\n\\v\\f\\u00a0\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u2066-\\u206f\\u3000\\ufeff';
const SIGNS = '=+@\\uff1d\\uff0b\\uff0d\\uff20\\ufe62\\ufe63\\ufe66\\ufe6b-';
export const FORMULA = `(^|;)([${BLANKS}"]*[${SIGNS}]|[\\t\\r\\n])`;

const formula = new RegExp(FORMULA, 'g');

/** Inserts an apostrophe, so that spreadsheets treat the cell as text and do not run it. */
export const harmless = (text: string): string => text.replace(formula, "$1'$2");

/** One cell, in the same format as PostgreSQL's CSV output. */
export function csvCell(text: string): string {
  const safe = harmless(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
