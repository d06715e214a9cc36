import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy to PostgreSQL that can be cut, so that the database is unavailable to one server only. */
export interface DatabaseProxy {
  /** The same database through the proxy. */
  url: string;
  /** Cuts every connection and refuses new ones, as a stopped server does. */
  refuse(): Promise<void>;
  /** Drops all bytes without closing, as a lost network does; or only the answers. */
  fallSilent(what?: 'all' | 'answers'): void;
  /** Cuts the next connection whose client sends this text. */
  cutAt(text: string): void;
  /** How many lead through it. */
  connections(): number;
  /** How many pieces were lost since it fell silent. */
  swallowed(): number;
  /** So many connections are refused because the server is starting up. */
  startUp(connections: number): void;
  restore(): Promise<void>;
  /** From now on it leads to another server, as the address of a cluster does after a fail-over. */
  leadTo(databaseUrl: string): void;
}

export async function startDatabaseProxy(
  databaseUrl: string,
): Promise<DatabaseProxy & { close(): Promise<void> }> {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let silent: 'all' | 'answers' | undefined;
  let swallowed = 0;
  let starting = 0;
  let fatal: string | undefined;
  const take = (socket: Socket): void => {
    if (starting > 0) {
      starting--;
      socket.once('data', () => socket.end(errorResponse('57P03', 'the database system is starting up')));
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from);
      const isLost = () => silent === 'all' || (silent === 'answers' && from === upstream);
      from.on('data', (chunk) => {
        if (fatal !== undefined && from === socket && chunk.includes(fatal)) {
          fatal = undefined;
          socket.destroy();
        } else if (isLost()) swallowed++;
        else to.write(chunk);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  };
  const listen = (port: number): Promise<Server> =>
    new Promise((ready) => {
      const listener = createServer(take);
      listener.listen({ host: '127.0.0.1', port }, () => ready(listener));
    });
  let server = await listen(0);
  const { port } = server.address() as { port: number };
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const refuse = async (): Promise<void> => {
    const closed = new Promise((done) => server.close(done));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    refuse,
    fallSilent: (what = 'all') => {
      silent = what;
      swallowed = 0;
    },
    cutAt: (text) => {
      fatal = text;
    },
    connections: () => sockets.size / 2,
    swallowed: () => swallowed,
    startUp: (connections) => {
      starting = connections;
    },
    restore: async () => {
      // Dropped bytes are lost: those connections end, and new ones work.
      for (const socket of sockets) socket.destroy();
      silent = undefined;
      if (!server.listening) server = await listen(port);
    },
    leadTo: (other) => {
      target = new URL(other);
      for (const socket of sockets) socket.destroy();
    },
    close: refuse,
  };
}

/** What PostgreSQL sends when it refuses a connection. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}
