// Receives webhooks of Emboss. Start it with the secret that was shown when the endpoint was added:
//   WEBHOOK_SECRET=whsec_… node receiver.mjs
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Webhook } from 'standardwebhooks';
import { inOrder } from './in-order.mjs';

const { WEBHOOK_SECRET, PORT = '3000', REPORTS_DIR = 'reports', ORDER_WAIT_MS = '30000' } = process.env;
if (!WEBHOOK_SECRET) throw new Error('Set WEBHOOK_SECRET to the secret of the endpoint (whsec_…)');

const webhook = new Webhook(WEBHOOK_SECRET);
const MAX_BYTES = 1024 * 1024;
const say = (text) => process.stdout.write(`${text}\n`);

/**
 * The same event may arrive twice, always with the same id. Store the ids with the events: insert both in one
 * transaction, with a unique id, and answer 200 only then. This example stores them in memory, so they are lost when
 * the process ends.
 */
const seen = new Set();

const handleCardEvent = inOrder(({ eventName, data }) => {
  say(`card ${data.cardId ?? data.card_id} #${data.sequence} ${eventName}`);
}, Number(ORDER_WAIT_MS));

async function handleEvent(event) {
  if (event.eventType === 'files') await downloadReport(event);
  else if (event.data?.sequence === undefined) say(`${event.eventType} ${event.eventName}`);
  else handleCardEvent(event);
}

/** The link is valid for 5 minutes, so it is used immediately; a repeated delivery contains a new one. */
async function downloadReport({ eventName, data }) {
  const answer = await fetch(data.link);
  if (!answer.ok) throw new Error(`report ${data.reference_id} not downloaded: status ${answer.status}`);
  await mkdir(REPORTS_DIR, { recursive: true });
  const path = join(REPORTS_DIR, `${eventName}-${data.reference_id}.csv`.replaceAll(/[^\w.-]/g, '_'));
  await pipeline(Readable.fromWeb(answer.body), createWriteStream(path));
  say(`report ${path}`);
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  // The signature covers these exact bytes: parsing and serialising them would break it.
  return Buffer.concat(chunks).toString();
}

async function receive(request, response) {
  let event;
  try {
    event = webhook.verify(await readBody(request), request.headers);
  } catch (error) {
    say(`refused: ${error.message}`);
    return response.writeHead(401).end();
  }
  const id = request.headers['webhook-id'];
  const isNew = !seen.has(id);
  seen.add(id);
  // Answers before working: Emboss repeats a delivery that takes longer than 15 seconds.
  response.writeHead(200).end();
  if (!isNew) return say(`again ${id}`);
  try {
    await handleEvent(event);
  } catch (error) {
    // The event was not handled: forget its id, so that it counts as new when it is sent again.
    seen.delete(id);
    say(`failed ${id}: ${error.message}; have the event sent again`);
  }
}

const server = createServer((request, response) => void receive(request, response));
server.listen(Number(PORT), '127.0.0.1', () => {
  say(`listening on http://127.0.0.1:${server.address().port}/`);
});
