import { createServer } from 'node:net';

/** A port that was free a moment ago. */
export function freeServerPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** A port that was free a moment ago, outside the range that outgoing connections use. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 14_000 + Math.floor(Math.random() * 6_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((answer) => {
      server.once('error', () => answer(false));
      server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => answer(true)));
    });
    if (isFree) return port;
  }
}
