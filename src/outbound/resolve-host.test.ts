import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { createPublicResolve } from './resolve-host.ts';

const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 3;

/** A name server's response to an A or AAAA query: addresses as bytes, an error code, or no response. */
type Says = (type: number) => number[][] | number | undefined;

let server: Socket | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

/** A minimal real name server on loopback. */
async function resolverOf(says: Says, onQuestion: () => void = () => {}) {
  const socket = createSocket('udp4');
  server = socket;
  socket.on('message', (question, from) => {
    onQuestion();
    // After the header: the name as labels, a zero, the type, the class.
    const end = question.indexOf(0, 12) + 5;
    const type = question.readUInt16BE(end - 4);
    const said = says(type);
    if (said === undefined) return;
    const addresses = typeof said === 'number' ? [] : said;
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180 + (typeof said === 'number' ? said : 0), 2);
    for (const [index, count] of [1, addresses.length, 0, 0].entries())
      header.writeUInt16BE(count, 4 + 2 * index);
    const records = addresses.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
    );
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return createPublicResolve([`127.0.0.1:${socket.address().port}`]);
}

const IPV6 = [0x26, 0x06, 0x47, 0x00, ...new Array<number>(11).fill(0), 1];

test('a name resolves to its IPv4 and IPv6 addresses', async () => {
  const says: Says = (type) =>
    type === AAAA
      ? [IPV6]
      : [
          [8, 8, 8, 8],
          [8, 8, 4, 4],
        ];
  const { resolve } = await resolverOf(says);
  expect(await resolve('a.example')).toEqual([
    { address: '2606:4700::1', family: 6 },
    { address: '8.8.8.8', family: 4 },
    { address: '8.8.4.4', family: 4 },
  ]);
});

test('one address family is enough, for any failure of the other', async () => {
  for (const wrong of [[], NO_SUCH_NAME, 2]) {
    const { resolve } = await resolverOf((type) => (type === A ? [[8, 8, 8, 8]] : wrong));
    expect(await resolve('a.example')).toEqual([{ address: '8.8.8.8', family: 4 }]);
    server?.close();
    const other = await resolverOf((type) => (type === AAAA ? [IPV6] : wrong));
    expect(await other.resolve('a.example')).toEqual([{ address: '2606:4700::1', family: 6 }]);
    server?.close();
    server = undefined;
  }
});

test('a name without addresses, an unknown name and a failing server are different errors', async () => {
  const { resolve } = await resolverOf(() => []);
  await expect(resolve('a.example')).rejects.toMatchObject({ code: 'ENODATA' });
  server?.close();
  const unknown = await resolverOf(() => NO_SUCH_NAME);
  await expect(unknown.resolve('a.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('cancelling ends the wait for a silent name server', async () => {
  let questions = 0;
  const { resolve, cancel } = await resolverOf(
    () => undefined,
    () => {
      questions += 1;
    },
  );
  const waiting = resolve('a.example').catch((error: NodeJS.ErrnoException) => error.code);
  await expect.poll(() => questions).toBeGreaterThanOrEqual(2);
  cancel();
  expect(await waiting).toBe('ECANCELLED');
});
