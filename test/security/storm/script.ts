import { CARDS, consumerCard } from '../../support/cards/cards.ts';

/** A request as bytes, with the end of its headers and its end. */
interface Shape {
  name: string;
  head: string;
  body: string;
  /** The server waits for more of it. */
  isCut?: boolean;
}

/** What a client does with its connection, step by step. */
export type Step =
  | { do: 'send'; what: string; bytes: string }
  /** A moment for the server to work. */
  | { do: 'wait'; ms: number }
  /** For the first bytes of an answer, or until nothing more comes. */
  | { do: 'read'; until: 'first' | 'quiet' }
  | { do: 'reset' | 'end' | 'destroy' };

/** A connection from its beginning to its end. */
export interface Script {
  /** Whether it reads answers before the step that waits for them. */
  reads: boolean;
  steps: Step[];
}

const request = (name: string, line: string, headers: string[], body = ''): Shape => ({
  name,
  head: `${[line, ...headers].join('\r\n')}\r\n\r\n`,
  body,
});
const HOST = 'host: emboss.test';
const JSON_TYPE = 'content-type: application/json';
const length = (body: string): string => `content-length: ${Buffer.byteLength(body)}`;

function shapesFor(key: string): Shape[] {
  const keyLine = `x-payments-api-key: ${key}`;
  const card = JSON.stringify(consumerCard());
  const post = `POST ${CARDS} HTTP/1.1`;
  const get = 'GET /health/live HTTP/1.1';
  return [
    request('GET', get, [HOST]),
    request('GET, closing', get, [HOST, 'connection: close']),
    request('GET 1.0', 'GET /health/live HTTP/1.0', []),
    request('GET, long answer', 'GET /openapi.json HTTP/1.1', [HOST]),
    request('GET with key', `GET ${CARDS} HTTP/1.1`, [HOST, keyLine]),
    request('GET with wrong key', `GET ${CARDS} HTTP/1.1`, [HOST, `${keyLine}x`]),
    request('HEAD', 'HEAD /metrics HTTP/1.1', [HOST]),
    request('unknown path', 'DELETE /nowhere HTTP/1.1', [HOST]),
    request('POST', post, [HOST, keyLine, JSON_TYPE, length(card)], card),
    request('POST with wrong key', post, [HOST, `${keyLine}x`, JSON_TYPE, length(card)], card),
    request('POST, body without headers for it', post, [HOST, keyLine], card),
    request('POST sign-in', 'POST /console/api/session/ HTTP/1.1', [HOST, JSON_TYPE, length('{}')], '{}'),
    {
      ...request('POST, cut', post, [HOST, keyLine, JSON_TYPE, length(card)], card.slice(0, -9)),
      isCut: true,
    },
    request('POST, 100 KB', post, [HOST, keyLine, JSON_TYPE, 'content-length: 100000'], ' '.repeat(100_000)),
    request(
      'POST in chunks',
      post,
      [HOST, keyLine, JSON_TYPE, 'transfer-encoding: chunked'],
      `${Buffer.byteLength(card).toString(16)}\r\n${card}\r\n0\r\n\r\n`,
    ),
    request('POST in broken chunks', post, [HOST, 'transfer-encoding: chunked'], 'zz\r\nbroken\r\n'),
    request('two lengths', post, [HOST, length('{}'), 'content-length: 7'], '{}'),
    request('length and chunks', post, [HOST, length('{}'), 'transfer-encoding: chunked'], '0\r\n\r\n'),
    request('CONNECT', 'CONNECT a:1 HTTP/1.1', [HOST]),
    request('CONNECT with bytes after it', 'CONNECT a:1 HTTP/1.1', [HOST], 'a tunnel\u0000'),
    request('Upgrade', get, [HOST, 'connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13']),
    request('Upgrade with a body', post, [HOST, 'connection: upgrade', 'upgrade: h2c', length('{}')], '{}'),
    request('Expect', post, [HOST, keyLine, JSON_TYPE, 'expect: 100-continue', length(card)], card),
    request('Expect without key', post, [HOST, JSON_TYPE, 'expect: 100-continue', length(card)], card),
    request('Expect unknown', get, [HOST, 'expect: the-unexpected']),
    request('absolute form', 'GET http://elsewhere.test/health/live HTTP/1.1', [HOST]),
    request('asterisk', 'OPTIONS * HTTP/1.1', [HOST]),
    request('two hosts', get, [HOST, 'host: elsewhere.test']),
    request('no host', get, []),
    request('long header', get, [HOST, `x-long: ${'a'.repeat(20_000)}`]),
    request('HTTP/2', 'PRI * HTTP/2.0', [], 'SM\r\n\r\n\u0000\u0000\u0000\u0004'),
    request('unknown method', 'BREW /health/live HTTP/1.1', [HOST]),
    { name: 'TLS', head: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', body: '' },
    { name: 'empty lines', head: '\r\n\r\n\r\n', body: '', isCut: true },
    { name: 'garbage', head: '\u0000\u00ff{]}\u007f GET\r\r\n\n: :\r\n\r\n', body: '' },
  ];
}

const ENDS = ['reset', 'end', 'destroy'] as const;

/**
 * A random walk: one to four requests in a row or in one packet, each whole or in parts that are cut before, inside and
 * after headers and body, and after each part, perhaps, the end.
 */
export function scriptWriter(random: () => number, key: string): () => Script {
  const shapes = shapesFor(key);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const chance = (share: number): boolean => random() < share;
  const parts = ({ name, head, body }: Shape): Array<Extract<Step, { do: 'send' }>> => {
    const cut = (text: string, what: string) => {
      const index = chance(0.5) ? Math.floor(random() * text.length) : 0;
      return [
        { do: 'send' as const, what: `${name}: inside ${what}`, bytes: text.slice(0, index) },
        { do: 'send' as const, what: `${name}: after ${what}`, bytes: text.slice(index) },
      ];
    };
    const all = [...cut(head, 'headers'), ...cut(body, 'body')].filter(({ bytes }) => bytes !== '');
    if (chance(0.5)) return all;
    return [{ do: 'send', what: `${name}: whole`, bytes: head + body }];
  };
  return () => {
    const steps: Step[] = [];
    const finish = (): Script => {
      steps.push({ do: pick(ENDS) });
      return { reads: chance(0.6), steps };
    };
    if (chance(0.02)) return finish();
    let isCut = false;
    const requests = 1 + Math.floor(random() * random() * 4);
    for (let count = 0; count < requests; count++) {
      const shape = pick(shapes);
      for (const part of parts(shape)) {
        steps.push(part);
        if (chance(0.3)) steps.push({ do: 'wait', ms: Math.floor(random() * 8) });
        if (chance(0.12)) return finish();
      }
      // After it the server waits for more, and answers nothing.
      isCut ||= shape.isCut === true;
      if (!isCut && chance(0.6)) steps.push({ do: 'read', until: chance(0.5) ? 'first' : 'quiet' });
    }
    return finish();
  };
}
