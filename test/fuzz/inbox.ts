import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** More than can be under way at once; older ones go, so that a long run stays small. */
const MOST_KEPT = 4_000;
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
  /** The next event for an endpoint of this URL is told that it is gone; what comes later is taken again. */
  sayGoneOnce(endpointUrl: string): void;
  close(): void;
}

export async function openInbox(): Promise<Inbox> {
  const receipts: Receipt[] = [];
  const gone = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const text = Buffer.concat(chunks).toString();
      receipts.push({ eventId: String(headers['webhook-id']), path, headers, text, atMs: performance.now() });
      if (receipts.length > MOST_KEPT) receipts.shift();
      // A test leaves no trace: to say it then would disable nothing.
      const isGone = gone.has(path) && eventTypeOf(text) !== 'test';
      if (isGone) gone.delete(path);
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
    sayGoneOnce: (endpointUrl) => void gone.add(pathOf(endpointUrl)),
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
