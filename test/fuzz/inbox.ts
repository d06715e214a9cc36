import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** More than can be under way at once; older ones go, so that a long run stays small. */
const MOST_KEPT = 4_000;
/** An endpoint whose path begins so says once that it is gone, and is there again. */
export const GONE_ONCE = '/gone-';
export const ANSWER = 'thanks';

/** A delivery as it came in. */
export interface Receipt {
  eventId: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** By `performance.now()`. */
  atMs: number;
}

/** Where the webhooks of all lanes arrive. */
export interface Inbox {
  url: string;
  /** Deliveries of an event to an endpoint of this URL, from a time on. */
  receiptsOf(eventId: string, endpointUrl: string, sinceMs: number): Receipt[];
  close(): void;
}

export async function openInbox(): Promise<Inbox> {
  const receipts: Receipt[] = [];
  const saidGone = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const text = Buffer.concat(chunks).toString();
      receipts.push({ eventId: String(headers['webhook-id']), path, headers, text, atMs: performance.now() });
      if (receipts.length > MOST_KEPT) receipts.shift();
      // A test leaves no trace: to say it then would disable nothing.
      const isGone = path.startsWith(GONE_ONCE) && !saidGone.has(path) && eventTypeOf(text) !== 'test';
      if (isGone) saidGone.add(path);
      response.statusCode = isGone ? 410 : 200;
      response.end(ANSWER);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    receiptsOf: (eventId, endpointUrl, sinceMs) =>
      receipts.filter(
        (receipt) =>
          receipt.eventId === eventId && receipt.path === pathOf(endpointUrl) && receipt.atMs >= sinceMs,
      ),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const eventTypeOf = (text: string): string => JSON.parse(text).eventType;

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** By the published verifier. */
export function isSignedWith(secret: string, { text, headers }: Receipt): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
