import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  body: any;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Waits until there are so many, or until a condition holds. */
  until(condition: number | ((received: Received[]) => boolean)): Promise<Received[]>;
  close(): Promise<void>;
}

/** A merchant's server on a real port: keeps its requests and answers with the given status, 200 by default. */
export async function startReceiver(
  answer: (received: Received, response: ServerResponse) => void = (_received, response) =>
    response.end('ok'),
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server: Server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const got = { path, headers, text, body: JSON.parse(text) };
      received.push(got);
      answer(got, response);
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    until: (condition) =>
      new Promise((resolve) => {
        const holds = typeof condition === 'number' ? () => received.length >= condition : condition;
        const look = () => {
          if (!holds(received)) return;
          waiting.delete(look);
          resolve(received);
        };
        waiting.add(look);
        look();
      }),
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}
