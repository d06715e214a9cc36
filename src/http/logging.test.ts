import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createAnswerLog } from './logging.ts';

const line = (reqId: string) => ({
  ...{ reqId, method: 'GET', route: '/api/v1/merchant/cards/:id/', status: 200, ms: 1.2 },
  ...{ address: '2001:db8:0:0:1:2:3:4', actor: 'key 01a2062a-f92d-7000-8c9d-444154e41ba1' },
});

test('the lines of one turn are written in order, in pieces that a pipe keeps together', async () => {
  const pieces: string[] = [];
  const stream = new PassThrough({ encoding: 'utf8' }).on('data', (piece) => pieces.push(piece));
  const log = createAnswerLog(pino(stream));
  const ids = Array.from({ length: 100 }, (_, place) => `req_${place}`);
  for (const id of ids) log('info', line(id), 'answered');
  await nextTurn();
  log('warn', line('req_last'), 'answered');
  await nextTurn();
  stream.end();
  await once(stream, 'end');
  expect(pieces.length).toBeLessThan(ids.length / 5);
  expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThan(4_096);
  const lines = pieces.join('').trimEnd().split('\n');
  expect(lines.map((text) => JSON.parse(text).reqId)).toEqual([...ids, 'req_last']);
  expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ level: 40, msg: 'answered' });
});
