import { Readable } from 'node:stream';
import type { Entry } from '../../audit/entry.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
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

/** Streams entries as CSV. */
export const streamEntries = (pages: AsyncIterable<Entry[]>): Readable => Readable.from(linesOf(pages));
