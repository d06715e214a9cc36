import { Readable } from 'node:stream';
import { cardholderNames } from '../../cards/cardholder-names.ts';
import { EmbossError, invalid } from '../../kernel/error.ts';
import type { Actor } from '../../programs/actor.ts';
import { fillNames } from '../../reports/fill-names.ts';
import { yieldToOthers } from '../../reports/yield-to-others.ts';
import type { QueryServices } from '../services.ts';
import { columnsOf, exportQuery } from './export-queries.ts';
import type { ConsoleList } from './list.ts';
import { type RangeQuery, readRange } from './range.ts';

export interface ExportQuery extends RangeQuery {
  columns?: string;
}

/** Streams what matches as CSV in constant memory. Each operator has one export at a time in a process. */
export function createExports(services: QueryServices) {
  const running = new Set<string>();
  return async (list: ConsoleList, actor: Actor, query: ExportQuery): Promise<Readable> => {
    const columns = readColumns(list.path, query.columns);
    const { cardId: _, ...matching } = list.match(actor, query);
    const range = readRange(actor.program.id, query);
    if (running.has(actor.id))
      throw new EmbossError(429, 'You already have an export in progress; retry when it is complete', {
        retryAfterSeconds: 10,
      });
    running.add(actor.id);
    const end = () => running.delete(actor.id);
    try {
      const sql = exportQuery(list.path, matching, range, columns, actor.now());
      return streamed(services, actor.program.id, await services.db.copyOut(sql), end);
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** Leaving the stream cancels the query, also before the first row. */
function streamed(services: QueryServices, programId: string, rows: Readable, onEnd: () => void): Readable {
  const namesOf = cardholderNames(services);
  const pause = yieldToOthers();
  async function* filled(): AsyncGenerator<Buffer> {
    for await (const piece of fillNames(rows, (cardIds) => namesOf(programId, cardIds))) {
      yield piece;
      await pause();
    }
  }
  const content = Readable.from(filled(), { objectMode: false });
  content.once('close', () => {
    rows.destroy();
    onEnd();
  });
  return content;
}

function readColumns(path: ConsoleList['path'], given: string | undefined): string[] {
  const known = columnsOf(path);
  const columns = given?.split(',') ?? known;
  if (columns.some((column) => !known.includes(column)) || new Set(columns).size < columns.length)
    throw invalid('columns', `must be some of ${known.join(', ')}, each once`);
  return columns;
}
