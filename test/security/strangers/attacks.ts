import { randomBytes, randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Counts, flood, knock, trickle, type Wire, written } from './sockets.ts';

/** All that an attacker knows: the server, and a program of its own. */
export interface Target {
  url: string;
  /** As many connections as the server takes. */
  maxConnections: number;
  merchantKey: string;
  networkKey: string;
  programId: string;
  cardId: string;
  cards: number;
  /** The session cookie of an operator of the attacker's program. */
  cookie: string;
  /** The e-mail address of an operator of another program. */
  victimEmail: string;
}

export interface Attack {
  name: string;
  needs: 'nothing' | 'a key' | 'an operator session';
  /** What it must have done by its end; else it proved nothing. */
  didMuch: (counts: Counts) => boolean;
  /** Goes on until the signal; returns when it has its full strength, perhaps with what clears up after it. */
  run: (wire: Wire, target: Target, addresses: string[]) => Promise<Cleanup> | Cleanup;
}
export type Cleanup = void | (() => Promise<void>);

const CONNECTIONS = 32;
const BODY_BYTES = 65_536;
/** Enough to fill the server that the test starts. */
const MANY_SOCKETS = 400;

const SESSION = '/console/api/session/';
const CARDS = '/api/v1/merchant/cards/';
const TRANSACTIONS = '/api/v1/merchant/transactions/';
const ENDPOINTS = '/api/v1/merchant/webhook-endpoints/';
const FILES = '/api/v1/merchant/files/';
const AUTHORIZATIONS = '/api/v1/network/authorizations/';

const fill = (open: string, item: string, close: string, bytes: number): string => {
  const room = bytes - Buffer.byteLength(open + close);
  return open + item.repeat(Math.floor(room / Buffer.byteLength(item))) + close;
};
const DEPTH = (BODY_BYTES - '{"x":}'.length) / 2;
const DEEP = `{"x":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`;
const LARGE = [
  fill('{"x":[0', ',0', ']}', BODY_BYTES),
  fill('{"x":[{}', ',{"a":1,"b":"c"}', ']}', BODY_BYTES),
  fill('{"x":"', 'ä', '"}', BODY_BYTES),
  fill('{"x":"', 'a', '"}', 300_000),
];

const merchant = (key: string) => ({ 'x-payments-api-key': key });
const network = (key: string) => ({ 'x-network-key': key });
const unknownKey = (): string => randomBytes(24).toString('base64url');
const unknownSession = (): string => randomBytes(32).toString('base64url');

/** A body to both APIs that take keys. */
const withKeys = (body: string, merchantKey: string, networkKey: string) => [
  written('POST', CARDS, merchant(merchantKey), body),
  written('POST', AUTHORIZATIONS, network(networkKey), body),
];

/** One after the other, over and over. */
function inTurn<T>(items: readonly T[]): () => T {
  let next = 0;
  return () => items[next++ % items.length] as T;
}

const answers = (counts: Counts, ...statuses: string[]): number =>
  statuses.reduce((sum, status) => sum + (counts.answers[status] ?? 0), 0);
const refusals = (counts: Counts): number => answers(counts, '400', '401', '413', '429') + counts.closed;

const DAY_MS = 86_400_000;
const DAILY_TYPES = ['daily', 'fee', 'dailyTransactionFee'];
/** 1,500 different reports, all of days that lie far enough in the past. */
const REPORTS = Array.from({ length: 400 }, (_, index) => {
  const daysAgo = 10 + Math.floor(index / DAILY_TYPES.length);
  const date = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  return `${FILES}${DAILY_TYPES[index % DAILY_TYPES.length]}/?date=${date}`;
});

async function until(holds: () => boolean, { signal }: Wire): Promise<void> {
  while (!holds() && !signal.aborted) await pause(20);
}

export const ATTACKS: readonly Attack[] = [
  {
    name: 'deep JSON without a key',
    needs: 'nothing',
    didMuch: (counts) => refusals(counts) > 50,
    run: (wire, _target, addresses) =>
      flood(wire, CONNECTIONS, addresses, inTurn([written('POST', SESSION, {}, DEEP)])),
  },
  {
    name: 'deep JSON with wrong keys',
    needs: 'nothing',
    didMuch: (counts) => refusals(counts) > 50,
    run: (wire, _target, addresses) =>
      flood(wire, CONNECTIONS, addresses, inTurn(withKeys(DEEP, unknownKey(), unknownKey()))),
  },
  {
    name: 'deep JSON with keys',
    needs: 'a key',
    didMuch: (counts) => refusals(counts) > 50,
    run: (wire, { merchantKey, networkKey }, addresses) =>
      flood(wire, CONNECTIONS, addresses, inTurn(withKeys(DEEP, merchantKey, networkKey))),
  },
  {
    name: 'large JSON without a key',
    needs: 'nothing',
    didMuch: (counts) => refusals(counts) > 50,
    run: (wire, _target, addresses) =>
      flood(wire, CONNECTIONS, addresses, inTurn(LARGE.map((body) => written('POST', SESSION, {}, body)))),
  },
  {
    name: 'large JSON with keys',
    needs: 'a key',
    didMuch: (counts) => refusals(counts) > 50,
    run: (wire, { merchantKey, networkKey }, addresses) =>
      flood(
        wire,
        CONNECTIONS,
        addresses,
        inTurn(LARGE.flatMap((body) => withKeys(body, merchantKey, networkKey))),
      ),
  },
  {
    name: 'metrics for clients that leave',
    needs: 'nothing',
    didMuch: ({ connected, sent }) => connected > 300 && sent > 300,
    run: async (wire, _target, addresses) => {
      // Refused first on every path that it knows: none of them may get series of its own.
      const refused = inTurn(
        [SESSION, CARDS, TRANSACTIONS, ENDPOINTS, AUTHORIZATIONS].flatMap((path) =>
          ['GET', 'PUT', 'DELETE', 'PATCH'].map((method) => written(method, path)),
        ),
      );
      flood(wire, 4, addresses.slice(0, 1), refused);
      await until(() => refusals(wire.counts) > 20, wire);
      knock(wire, 64, addresses.slice(1), written('GET', '/metrics'));
    },
  },
  {
    name: 'slow header',
    needs: 'nothing',
    didMuch: ({ connected, bytes }) => connected > MANY_SOCKETS && bytes > MANY_SOCKETS,
    run: async (wire, { maxConnections }, addresses) => {
      const begin = `GET ${SESSION} HTTP/1.1\r\nhost: emboss.test\r\nx-slow: `;
      void trickle(wire, maxConnections, addresses.slice(0, 2), begin, 'a');
      await until(() => wire.counts.bytes > MANY_SOCKETS, wire);
    },
  },
  {
    name: 'slow body',
    needs: 'nothing',
    didMuch: ({ connected, bytes }) => connected > MANY_SOCKETS && bytes > MANY_SOCKETS,
    run: async (wire, { maxConnections }, addresses) => {
      const type = 'content-type: application/json\r\ncontent-length: 60000\r\n\r\n';
      const begin = `POST ${SESSION} HTTP/1.1\r\nhost: emboss.test\r\n${type}{`;
      void trickle(wire, maxConnections, addresses.slice(0, 2), begin, ' ');
      await until(() => wire.counts.bytes > MANY_SOCKETS, wire);
    },
  },
  {
    name: 'connections that send nothing',
    needs: 'nothing',
    didMuch: ({ connected }) => connected > MANY_SOCKETS,
    run: async (wire, { maxConnections }, addresses) => {
      void trickle(wire, maxConnections, addresses.slice(0, 2), '', '');
      await until(() => wire.counts.connected > MANY_SOCKETS, wire);
    },
  },
  {
    name: 'connections that are closed at once',
    needs: 'nothing',
    didMuch: ({ connected }) => connected > 300,
    run: (wire, _target, addresses) => knock(wire, CONNECTIONS, addresses),
  },
  {
    name: 'guessed challenge pages',
    needs: 'nothing',
    didMuch: (counts) => answers(counts, '404', '429') > 200,
    run: (wire, _target, addresses) => {
      const guess = () => `/challenge/${randomUUID()}/`;
      const make = inTurn([
        () => written('GET', guess(), {}),
        () => written('POST', `${guess()}attempts/`, {}, '{"otp":"123456"}'),
      ]);
      return flood(wire, CONNECTIONS, addresses, () => make()());
    },
  },
  {
    name: 'wrong keys',
    needs: 'nothing',
    didMuch: (counts) => refusals(counts) > 150,
    run: (wire, _target, addresses) => {
      const make = inTurn([
        () => written('GET', CARDS, merchant(unknownKey())),
        () => written('POST', AUTHORIZATIONS, network(unknownKey()), '{}'),
      ]);
      flood(wire, CONNECTIONS, addresses, () => make()());
    },
  },
  {
    name: 'wrong passwords',
    needs: 'nothing',
    // Passwords are checked one at a time.
    didMuch: (counts) => answers(counts, '401', '429') > 10,
    run: async (wire, { victimEmail }, addresses) => {
      const email = inTurn([() => victimEmail, () => `${unknownKey()}@example.com`]);
      flood(wire, 12, addresses, () =>
        written('POST', SESSION, {}, JSON.stringify({ email: email()(), password: unknownKey() })),
      );
      await until(() => answers(wire.counts, '401', '429') > 5, wire);
    },
  },
  {
    name: 'reveal sessions that do not exist',
    needs: 'nothing',
    didMuch: (counts) => answers(counts, '404', '429') > 50,
    run: (wire, _target, addresses) =>
      flood(wire, CONNECTIONS, addresses, () =>
        written('POST', `/reveal/${unknownSession()}/`, {}, JSON.stringify({ verifier: unknownKey() })),
      ),
  },
  {
    name: 'expensive lists',
    needs: 'a key',
    didMuch: (counts) => answers(counts, '200') > 50,
    run: (wire, { merchantKey, cards }, addresses) => {
      const wide = 'min_created=2000-01-01&max_created=2999-12-31&page_size=100';
      const lists = [CARDS, TRANSACTIONS].flatMap((path) =>
        [1, 0.5, 1].map((share) => `${path}?${wide}&page=${Math.ceil((cards / 100) * share)}`),
      );
      const make = inTurn(lists.map((path) => written('GET', path, merchant(merchantKey))));
      flood(wire, CONNECTIONS, addresses, make);
    },
  },
  {
    name: 'expensive searches',
    needs: 'an operator session',
    didMuch: (counts) => answers(counts, '200') > 20,
    run: (wire, { cookie, programId }, addresses) => {
      const paths = ['search/?q=ada%20lovelace', 'search/?q=love', 'search/?q=0001', 'overview/?window=30d'];
      const queries = [...paths, 'transactions/?page_size=100'].map((path) =>
        written('GET', `/console/api/programs/${programId}/${path}`, { cookie }),
      );
      flood(wire, CONNECTIONS, addresses, inTurn(queries));
    },
  },
  {
    name: 'webhook endpoints that hang',
    needs: 'a key',
    didMuch: (counts) => counts.hanging > 100 && answers(counts, '200') > 20,
    run: (wire, target, addresses) =>
      payWithReceiver(wire, target, addresses, [2, 100], (socket) => void socket.resume()),
  },
  {
    name: 'webhook endpoints that respond without end',
    needs: 'a key',
    didMuch: (counts) => counts.hanging > 10 && answers(counts, '200') > 20,
    run: (wire, target, addresses) => payWithReceiver(wire, target, addresses, [2, 10], streamWithoutEnd),
  },
  {
    name: 'report flood',
    needs: 'a key',
    didMuch: (counts) => answers(counts, '200', '429') >= REPORTS.length,
    run: async (wire, { merchantKey }, addresses) => {
      const requests = REPORTS.map((path) => written('GET', path, merchant(merchantKey)));
      flood(wire, 8, addresses, inTurn(requests));
      await until(() => answers(wire.counts, '200', '429') >= REPORTS.length, wire);
    },
  },
];

/** Pays so that many webhooks go to five endpoints of a receiver of the attacker's own, until so many have arrived. */
async function payWithReceiver(
  wire: Wire,
  { merchantKey, cardId, url }: Target,
  addresses: string[],
  [payers, arrivals]: [payers: number, arrivals: number],
  respond: (socket: Socket, path: string) => void,
): Promise<Cleanup> {
  const address = await startOwnReceiver(wire, respond);
  const headers = { ...merchant(merchantKey), 'content-type': 'application/json' };
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) {
    const body = JSON.stringify({ url: `${address}/${index}` });
    const answer = await fetch(url + ENDPOINTS, { method: 'POST', headers, body });
    ids.push(((await answer.json()) as { id: string }).id);
  }
  const purchase = JSON.stringify({ card_id: cardId, amount: '0.01' });
  const pay = written('POST', '/api/v1/sandbox/authorizations/', merchant(merchantKey), purchase);
  flood(wire, payers, addresses, () => pay);
  await until(() => wire.counts.hanging > arrivals, wire);
  return async () => {
    for (const id of ids)
      await fetch(`${url}${ENDPOINTS}${id}/`, { method: 'DELETE', headers: merchant(merchantKey) });
  };
}

const OK = 'HTTP/1.1 200 OK\r\n';
/** What comes first, and what follows over and over, by the path of the endpoint. */
const STREAMS: Record<string, [first: string, rest: string]> = {
  '/0': ['', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
  '/1': [OK, 'x-more: headers\r\n'],
  '/2': [`${OK}content-type: text/plain\r\n\r\n`, 'a body '],
  '/3': [`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'],
  '/4': [`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x-trailer: more\r\n'],
};

function streamWithoutEnd(socket: Socket, path: string): void {
  const [first, rest] = STREAMS[path] ?? ['', ''];
  const many = rest.repeat(1_000);
  socket.write(first);
  const go = () => {
    while (socket.writable && socket.write(many));
  };
  socket.on('drain', go);
  go();
}

/** Takes webhooks, each on a connection of its own, and counts them. */
async function startOwnReceiver(
  { counts, signal }: Wire,
  respond: (socket: Socket, path: string) => void,
): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      counts.hanging++;
      respond(socket, head.toString('latin1').split(' ', 2)[1] ?? '');
    });
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
  });
  signal.addEventListener('abort', () => server.close(), { once: true });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
