import { Readable } from 'node:stream';
import type { Entry } from '../../audit/entry.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { EmbossError } from '../../kernel/error.ts';
import { csvCell } from '../../reports/csv.ts';

const COLUMNS = ['time', 'id', 'actor', 'action', 'card_id', 'address', 'request_id', 'before', 'after'];

const lineOf = ({ createdAt, id, actor, action, cardId, address, requestId, before, after }: Entry): string =>
  `${[
    formatTimestamp(createdAt),
    ...[id, actor, action, cardId ?? '', address ?? '', requestId ?? ''],
    ...[before, after].map((values) => (values === null ? '' : JSON.stringify(values))),
  ]
    .map(csvCell)
    .join(',')}\r\n`;

async function* linesOf(pages: AsyncIterable<Entry[]>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const entries of pages) if (entries.length > 0) yield entries.map(lineOf).join('');
}

/** Streams entries as CSV. An operator has one export at a time in each process. */
export function createExports(): (operatorId: string, pages: AsyncIterable<Entry[]>) => Readable {
  const running = new Set<string>();
  return (operatorId, pages) => {
    if (running.has(operatorId))
      throw new EmbossError(429, 'An export is running; wait until it has ended', { retryAfterSeconds: 5 });
    running.add(operatorId);
    // Also after an error, or if the client goes away before the first line.
    return Readable.from(linesOf(pages)).once('close', () => running.delete(operatorId));
  };
}
