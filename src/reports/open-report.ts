import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database } from '../db/database.ts';
import { dayEndMs, dayStartMs, parseTimestamp } from '../kernel/calendar.ts';
import type { Program } from '../programs/program.ts';
import { countOf, fillNames, type NamesOf } from './fill-names.ts';
import type { Produced, ReportRecord } from './queries.ts';
import type { Subject } from './report.ts';
import { reportQuery } from './report-queries.ts';

const LINE_FEED = 10;

export interface OpenReport {
  /** Whoever destroys it ends the query, also one that has not brought its first row yet. */
  content: Readable;
  /** What went through, once all of it has. */
  weigh(): Produced;
}

/**
 * A report as a stream, in constant memory: PostgreSQL writes the rows as of one moment, names are filled in on the
 * way. The period must be closed. `onStretch` hears how much of the period has gone by, from 0 to 1, and is waited for.
 */
export async function openReport(
  { db, namesOf }: { db: Database; namesOf: NamesOf },
  program: Pick<Program, 'id' | 'currency'>,
  subject: Subject,
  onStretch: (share: number) => void | Promise<void> = () => {},
): Promise<OpenReport> {
  const query = reportQuery({ ...subject, programId: program.id, currency: program.currency });
  const rows = await db.copyOut(query);
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  async function* weighed(): AsyncGenerator<Buffer, undefined> {
    for await (const stretch of fillNames(rows, (cardIds) => namesOf(program.id, cardIds))) {
      hash.update(stretch);
      bytes += stretch.length;
      // A line break inside of a text is the only one that would count too much, and texts hold none.
      lines += countOf(LINE_FEED, stretch);
      yield stretch;
      await onStretch(shareOf(subject, stretch));
    }
  }
  const stretches = weighed();
  const content = new Readable({
    read: () => {
      stretches.next().then(
        ({ value }) => content.push(value ?? null),
        (error) => content.destroy(error),
      );
    },
    // Not by the generator: it would wait for its next row, which may be minutes away.
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

/** What has been sent out once must come out the same ever after: if it does not, nobody gets it. */
export function requireSameBytes({ id, sha256, rowCount }: ReportRecord, produced: Produced): void {
  if (sha256 === null || sha256.equals(produced.sha256)) return;
  throw new Error(
    `report ${id} differs from the file that was delivered before: ${produced.rowCount} rows now, ${rowCount} then`,
  );
}

/** Rows come in order of time, which each of them tells. */
function shareOf({ firstDay, lastDay }: Subject, stretch: Buffer): number {
  const [time] =
    stretch
      .subarray(-2_000)
      .toString('latin1')
      .match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000/g)
      ?.slice(-1) ?? [];
  const ms = time === undefined ? undefined : parseTimestamp(time);
  if (ms === undefined) return 0;
  return (ms - dayStartMs(firstDay)) / (dayEndMs(lastDay) - dayStartMs(firstDay));
}
