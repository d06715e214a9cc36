import { openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { seededRandom } from '../support/scripts/random.ts';
import { now } from './history.ts';
import { decide } from './merchant.ts';

/** A merchant's webhook receiver in a process of its own: what it gets stands in its log before it answers. */

export interface Received {
  at: number;
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  /** What it was answered; null: nothing at all. */
  answer: number | null;
}

/** Files are refused often, since each new try must bring a new link. */
const REFUSED = { files: 0.5, other: 0.04 };
const UNANSWERED = 0.01;
const HANGING = 0.003;

const [port = '', path = '', seed = ''] = process.argv.slice(2);
const log = openSync(path, 'a');
const random = seededRandom(Number(seed));

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    if (request.url === '/decide') return decide(body, request, response, random);
    const { headers } = request;
    const refused = body.includes('"eventType":"files"') ? REFUSED.files : REFUSED.other;
    const chance = random();
    const answer = chance < UNANSWERED ? null : chance < UNANSWERED + refused ? 500 : 200;
    const received: Received = {
      at: now(),
      id: String(headers['webhook-id']),
      timestamp: String(headers['webhook-timestamp']),
      signature: String(headers['webhook-signature']),
      body,
      answer,
    };
    writeSync(log, `${JSON.stringify(received)}\n`);
    if (answer !== null) response.writeHead(answer).end();
    else if (chance < HANGING) return;
    else request.socket.destroy();
  });
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
