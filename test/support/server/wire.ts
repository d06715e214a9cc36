import { connect } from 'node:net';

export interface Exchange {
  status: number;
  /** The body as it came over the wire. */
  text: string;
  headers: Headers;
}

export type WireBody = NonNullable<RequestInit['body']>;

interface WireRequest {
  key?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it stands. */
  raw?: WireBody;
  headers?: Record<string, string>;
}

/** One request past all conveniences, for tests that compare bytes or send what no client would. */
export async function exchange(
  url: string,
  method: string,
  path: string,
  request: WireRequest = {},
): Promise<Exchange> {
  const body = request.raw ?? (request.body === undefined ? null : JSON.stringify(request.body));
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(request.key === undefined ? {} : { 'x-payments-api-key': request.key }),
      ...request.headers,
    },
    body,
    // Streams may be sent as a body.
    duplex: 'half',
  } as RequestInit);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Sends bytes to the port and reads until the server closes. */
export function rawExchange(url: string, bytes: string): Promise<Exchange> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString())));
  });
}

function parseAnswer(answer: string): Exchange {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  return { status: Number(statusLine.split(' ')[1]), text: rest.join('\r\n\r\n'), headers };
}
