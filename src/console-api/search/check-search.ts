import { holdsNumberOf } from '../../kernel/card-numbers.ts';
import { invalid } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { isCleanText } from '../../kernel/text.ts';
import type { Program } from '../../programs/program.ts';

/** Accepts the masked form too, with dots or stars before the digits. */
export const LAST_FOUR = /^[\s•·.*xX…-]*(\d{4})$/;

/** The kind of a search, for the audit, without its text. A name or a customer id is `text`. */
export function kindOfSearch(given: string): 'id' | 'lastFour' | 'text' {
  const query = given.trim();
  if (isId(query.toLowerCase())) return 'id';
  return LAST_FOUR.test(query) ? 'lastFour' : 'text';
}

/** The text without surrounding spaces. Throws a 400 for a card number. */
export function checkSearch({ bin }: Pick<Program, 'bin'>, given: string, field = 'q'): string {
  const query = given.trim();
  if (!isCleanText(query)) throw invalid(field, 'must not contain control characters');
  if (holdsNumberOf(bin, query)) throw invalid(field, 'must not be a card number; use its last four digits');
  return query;
}
