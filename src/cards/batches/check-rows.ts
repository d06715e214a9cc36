import { refuseNumbersIn } from '../../http/card-numbers.ts';
import { violationOf } from '../../http/schema-compilers.ts';
import { type Day, dayOf } from '../../kernel/calendar.ts';
import { EmbossError, invalid } from '../../kernel/error.ts';
import { mergeMetadata } from '../../kernel/metadata.ts';
import { findUncleanText } from '../../kernel/text.ts';
import type { Actor } from '../../programs/actor.ts';
import { checkNewCard, checkOpeningBalance } from '../new-card.ts';
import { CreateCardBody } from '../schema.ts';

/** Checks the rules of each row that need no query. Throws the error of the first row that breaks one. */
export function checkRows(actor: Actor, rows: readonly CreateCardBody[]): void {
  const today = dayOf(actor.now());
  for (const [index, row] of rows.entries()) {
    const error = refusalOf(() => checkRow(actor, row, today));
    if (error)
      throw new EmbossError(error.httpStatus, `cards[${index}].${error.message}`, { code: error.code });
  }
}

/** The error of a row that no route has validated: what a request with it would be answered. */
export const errorOfRow = (actor: Actor, row: unknown): EmbossError | undefined =>
  violationOf(CreateCardBody, row) ??
  refusalOf(() => {
    const unclean = findUncleanText(row);
    if (unclean !== undefined)
      throw invalid(unclean, 'must not contain control, invisible or invalid characters');
    refuseNumbersIn(actor.program.bin, row);
    checkRow(actor, row as CreateCardBody, dayOf(actor.now()));
  });

function checkRow(actor: Actor, row: CreateCardBody, today: Day): void {
  checkOpeningBalance(actor, checkNewCard(row, actor.program, today), 0n);
  mergeMetadata(null, row.metadata ?? {});
}

function refusalOf(check: () => void): EmbossError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof EmbossError) return error;
    throw error;
  }
}
