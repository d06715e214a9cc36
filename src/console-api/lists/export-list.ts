import { Readable } from 'node:stream';
import { cardholderNames } from '../../cards/cardholder-names.ts';
import { invalid } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import type { Actor } from '../../programs/actor.ts';
import { fillNames } from '../../reports/fill-names.ts';
import { yieldToOthers } from '../../reports/yield-to-others.ts';
import type { StartExport } from '../export-slots.ts';
import type { QueryServices } from '../services.ts';
import { columnsOf, exportQuery } from './export-queries.ts';
import { type ConsoleList, recordsMatching } from './list.ts';
import { type RangeQuery, readRange } from './range.ts';

export interface ExportQuery extends RangeQuery {
  columns?: string;
  ids?: string;
}

export const MOST_IDS = 100;

/** Streams what matches as CSV in constant memory. */
export async function exportList(
  services: QueryServices,
  startExport: StartExport,
  list: ConsoleList,
  actor: Actor,
  query: ExportQuery,
): Promise<Readable> {
  const columns = readColumns(list.path, query.columns);
  const matching = recordsMatching(list, services, actor, query);
  const range = readRange(actor.program.id, query);
  const sql = exportQuery(list.path, matching, range, columns, actor.now(), readIds(query.ids));
  return startExport(actor.id, async () =>
    fillIn(services, actor.program.id, await services.db.copyOut(sql)),
  );
}

/** Fills in the names. Leaving the stream cancels the query, also before the first row. */
function fillIn(services: QueryServices, programId: string, rows: Readable): Readable {
  const namesOf = cardholderNames(services);
  const pause = yieldToOthers();
  async function* filled(): AsyncGenerator<Buffer> {
    for await (const piece of fillNames(rows, (cardIds) => namesOf(programId, cardIds))) {
      yield piece;
      await pause();
    }
  }
  return Readable.from(filled(), { objectMode: false }).once('close', () => rows.destroy());
}

function readColumns(path: ConsoleList['path'], given: string | undefined): string[] {
  const known = columnsOf(path);
  const columns = given?.split(',') ?? known;
  if (columns.some((column) => !known.includes(column)) || new Set(columns).size < columns.length)
    throw invalid('columns', `must be some of ${known.join(', ')}, each once`);
  return columns;
}

function readIds(given: string | undefined): string[] | undefined {
  const ids = given?.split(',');
  if (ids && (ids.length > MOST_IDS || !ids.every(isId)))
    throw invalid('ids', `must be 1 to ${MOST_IDS} record ids, separated by commas`);
  return ids;
}
