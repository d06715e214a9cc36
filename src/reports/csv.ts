/**
 * What makes a spreadsheet run a cell: a sign at its beginning, also a wide one, also behind blanks and marks that
 * nobody sees; or a tab or line break there, which some programs take away. A semicolon begins a cell where people
 * write decimal commas, and quotes behind it are taken away there. One spelling for PostgreSQL and JavaScript, which
 * read it alike.
 */
const BLANKS =
  ' \\t\\r\\n\\v\\f\\u00a0\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u2066-\\u206f\\u3000\\ufeff';
const SIGNS = '=+@\\uff1d\\uff0b\\uff0d\\uff20\\ufe62\\ufe63\\ufe66\\ufe6b-';
export const FORMULA = `(^|;)([${BLANKS}"]*[${SIGNS}]|[\\t\\r\\n])`;

const formula = new RegExp(FORMULA, 'g');

/** A text that no spreadsheet runs: an apostrophe says that what follows is text. */
export const harmless = (text: string): string => text.replace(formula, "$1'$2");

/** One cell, as PostgreSQL would write it. */
export function csvCell(text: string): string {
  const safe = harmless(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
