import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
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

/** Idle connections end here first: one that the server ends might just be taken for a request. */
const agent = new Agent({ keepAlive: true, timeout: 20_000 });

/** As `fetch` sends it and without its redirects, for a third of its CPU. */
export const sendRequest = (
  url: URL,
  method: string,
  payload: string | Uint8Array | undefined,
  headers: Record<string, string>,
): Promise<Exchange> =>
  new Promise((resolve, reject) => {
    const read = async (response: IncomingMessage) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      const entries = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      return { status: response.statusCode ?? 0, text, headers: new Headers(entries) };
    };
    const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) };
    openRequest(url, {
      agent,
      method,
      headers: { accept: '*/*', 'user-agent': 'node', ...length, ...headers },
    })
      .on('response', (response) => void read(response).then(resolve, reject))
      // After the response it has no effect: a server that refuses does not read the rest.
      .on('error', reject)
      .end(payload);
  });

/** One request past all conveniences, for tests that compare bytes or send what no client would. */
export async function exchange(
  url: string,
  method: string,
  path: string,
  request: WireRequest = {},
): Promise<Exchange> {
  const body = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(request.key === undefined ? {} : { 'x-payments-api-key': request.key }),
    ...request.headers,
  };
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array)
    return sendRequest(new URL(url + path), method, body, headers);
  // A stream.
  const response = await fetch(url + path, { method, headers, body, duplex: 'half' } as RequestInit);
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
