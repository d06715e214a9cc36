import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';

export interface Arrived {
  method: string;
  path: string;
  httpVersion: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Receiver {
  port: number;
  url: string;
  /** Requests whose body has arrived. */
  arrived: Arrived[];
  /** Connections ever made, and those still open. */
  connections: { made: number; open: number };
  close: () => Promise<void>;
}

type Answer = (request: Arrived, response: ServerResponse) => void;

/** A real receiver on loopback. Each answer in turn; the last one is repeated. */
export function startReceiver(...answers: Answer[]): Promise<Receiver> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const { method = '', url: path = '', httpVersion, headers } = request;
      const whole = { method, path, httpVersion, headers, body: Buffer.concat(chunks).toString() };
      arrived.push(whole);
      answers[Math.min(arrived.length, answers.length) - 1]?.(whole, response);
    });
  });
  return listen(server, arrived);
}

/** A receiver below HTTP: the test decides what it sends, and when. */
export const startRawReceiver = (
  onConnection: (socket: Socket, count: number) => void,
): Promise<Receiver> => {
  let count = 0;
  return listen(
    createTcpServer((socket) => {
      count += 1;
      onConnection(socket, count);
    }),
  );
};

/** Any server on a free port of this machine, its connections counted. */
export async function listen(server: Server | NetServer, arrived: Arrived[] = []): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const connections = { made: 0, open: 0 };
  server.on('connection', (socket: Socket) => {
    connections.made += 1;
    connections.open = sockets.add(socket).size;
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      connections.open = sockets.size;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port, url: `http://127.0.0.1:${port}/`, arrived, connections, close };
}

export const answerWith =
  (statusCode: number, body = '', headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(statusCode, headers);
    response.end(body);
  };
