import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database } from '../db/database.ts';
import { dayEndMs, dayStartMs, parseTimestamp } from '../kernel/calendar.ts';
import type { Program } from '../programs/program.ts';
import { fillNames, type NamesOf } from './fill-names.ts';
import type { Produced, ReportRecord } from './queries.ts';
import type { Subject } from './report.ts';
import { reportQuery } from './report-queries.ts';

const LINE_FEED = 10;

export interface OpenReport {
  /** Destroying it cancels the query, even before the first row. */
  content: Readable;
  /** The totals of the content. Call it after the stream has ended. */
  weigh(): Produced;
}

/**
 * Opens a report as a stream in constant memory. PostgreSQL writes the rows as of one moment; the names are filled in
 * afterwards. The period must be closed. The stream passes `onChunk` the share of the period that is complete, from 0
 * to 1, and waits for it.
 */
export async function openReport(
  { db, namesOf }: { db: Database; namesOf: NamesOf },
  program: Pick<Program, 'id' | 'currency'>,
  subject: Subject,
  onChunk: (share: number) => void | Promise<void> = () => {},
): Promise<OpenReport> {
  const query = reportQuery({ ...subject, programId: program.id, currency: program.currency });
  const rows = await db.copyOut(query);
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  async function* weighed(): AsyncGenerator<Buffer, undefined> {
    for await (const chunk of fillNames(rows, (cardIds) => namesOf(program.id, cardIds))) {
      hash.update(chunk);
      bytes += chunk.length;
      // Every line feed ends a row, because texts contain no line breaks.
      lines += countLines(chunk);
      yield chunk;
      await onChunk(shareOf(subject, chunk));
    }
  }
  const chunks = weighed();
  const content = new Readable({
    read: () => {
      chunks.next().then(
        ({ value }) => content.push(value ?? null),
        (error) => content.destroy(error),
      );
    },
    // Destroys the rows directly: the generator would first wait for its next row, which may take minutes.
    destroy: (error, done) => {
      rows.destroy();
      done(error);
    },
  });
  return {
    content,
    // The first line is the header.
    weigh: () => ({ rowCount: lines - 1, bytes, sha256: hash.copy().digest() }),
  };
}

/** A report that was delivered once must have the same bytes ever after. If it differs, it is not delivered. */
export function requireSameBytes({ id, sha256, rowCount }: ReportRecord, produced: Produced): void {
  if (sha256 === null || sha256.equals(produced.sha256)) return;
  throw new Error(
    `report ${id} differs from the file that was delivered before: ${produced.rowCount} rows now, ${rowCount} then`,
  );
}

function countLines(chunk: Buffer): number {
  let count = 0;
  for (let index = chunk.indexOf(LINE_FEED); index !== -1; index = chunk.indexOf(LINE_FEED, index + 1))
    count++;
  return count;
}

/** Rows are in order of time, so the last timestamp gives the progress. */
function shareOf({ firstDay, lastDay }: Subject, chunk: Buffer): number {
  const [time] =
    chunk
      .subarray(-2_000)
      .toString('latin1')
      .match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000/g)
      ?.slice(-1) ?? [];
  const ms = time === undefined ? undefined : parseTimestamp(time);
  if (ms === undefined) return 0;
  return (ms - dayStartMs(firstDay)) / (dayEndMs(lastDay) - dayStartMs(firstDay));
}
