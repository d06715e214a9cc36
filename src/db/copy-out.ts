import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { BEGIN_SNAPSHOT, copyAsCsv, limitCopy, noticeLostReader, READER_NAME } from './queries.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Streams the rows of a query as CSV with a header, in UTF-8, from one snapshot. It uses a connection of its own, because
 * it may take minutes. The reader's pace limits PostgreSQL's pace. Destroying the stream ends the query.
 */
export async function copyOut(
  { url, role }: { url: string; role?: string | undefined },
  query: string,
): Promise<Readable> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: READER_NAME,
  });
  let rows: Readable | undefined;
  // Passes a lost connection on to the reader; without a listener it would end the process.
  client.on('error', (error) => rows?.destroy(error));
  try {
    await client.connect();
    await client.query(BEGIN_SNAPSHOT.text);
    await client.query(noticeLostReader);
    await client.query(limitCopy(role).text, role ? [role] : []);
    rows = client.query(copyTo(copyAsCsv(query)) as never) as unknown as Readable;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  // The reader receives the error; an error before anything reads must not end the process.
  rows.on('error', () => {});
  // Nothing was written, so closing the connection ends the transaction. A connection that is left early is destroyed,
  // because its server would go on sending.
  rows.once('close', () => {
    const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
    if (rows?.readableEnded) client.end().catch(() => {});
    else stream.destroy();
  });
  return rows;
}
