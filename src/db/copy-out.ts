import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { BEGIN_SNAPSHOT, copyAsCsv, limitCopy, noticeLostReader, READER_NAME } from './queries.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens the rows of a query as CSV with a header, in UTF-8, as of one moment. On a connection of its own: it may take
 * minutes, and a pool would be short of it for as long. The reader's pace is PostgreSQL's pace. Whoever destroys the
 * stream ends the query.
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
  // Without a listener a lost connection would end the process; the reader must learn of it.
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
  // Whoever reads it meets its failure; one that comes before anybody reads must not end the process.
  rows.on('error', () => {});
  // Nothing was written: closing the connection is all the end that the transaction needs. One that is left early is
  // cut, since its server would go on sending.
  rows.once('close', () => {
    const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
    if (rows?.readableEnded) client.end().catch(() => {});
    else stream.destroy();
  });
  return rows;
}
