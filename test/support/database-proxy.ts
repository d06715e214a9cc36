import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to PostgreSQL that can be cut, so that a database goes away for one server and stays for the others. */
export interface DatabaseProxy {
  /** The same database by way of the proxy. */
  url: string;
  /** Cuts every connection and refuses new ones, as a stopped server does. */
  refuse(): Promise<void>;
  /** Lets nothing through and tells nobody, as a lost network does. */
  fallSilent(): void;
  restore(): Promise<void>;
}

export async function startDatabaseProxy(
  databaseUrl: string,
): Promise<DatabaseProxy & { close(): Promise<void> }> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let silent = false;
  const take = (socket: Socket): void => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => !silent && to.write(chunk));
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
    fallSilent: () => {
      silent = true;
    },
    restore: async () => {
      // What was swallowed is lost for good: those connections end, and new ones work.
      for (const socket of sockets) socket.destroy();
      silent = false;
      if (!server.listening) server = await listen(port);
    },
    close: refuse,
  };
}
