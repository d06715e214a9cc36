import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from './database.ts';
import { seededRandom } from './random.ts';
import { addCard, type Credentials, type Fleet, purchase, startFleet } from './server-fleet.ts';
import { type Received, startReceiver } from './webhook-receiver.ts';
import { ENDPOINTS } from './webhooks.ts';

export interface WebhookRun {
  databaseUrl: string;
  seed: number;
  events: number;
  cards: number;
  kills: number;
  /** Takes the database away without warning; it comes back by itself. */
  crashDatabase?: () => void;
  log?: (line: string) => void;
}

export interface WebhookFindings {
  received: number;
  duplicates: number;
  findings: string[];
}

const SERVERS = 2;
const CALLERS = 16;
const HANGS = 0.002;
const FAILS = 1 / 3;

/**
 * Two servers with their workers, killed again and again (and the database with them), and a receiver that fails a third
 * of what it gets and hangs on some. What it took must be what happened: nothing lost, nothing made up.
 */
export async function runWebhooks(run: WebhookRun): Promise<WebhookFindings> {
  const random = seededRandom(run.seed);
  const taken = new Map<string, number>();
  const bodies = new Map<string, string>();
  const receiver = await startReceiver(({ headers, text }: Received, response) => {
    const id = String(headers['webhook-id']);
    const chance = random();
    if (chance < HANGS) return;
    if (chance < HANGS + FAILS) return void response.writeHead(500).end();
    taken.set(id, (taken.get(id) ?? 0) + 1);
    // Another text under the same id is a finding.
    bodies.set(bodies.has(id) && bodies.get(id) !== text ? `${id}, other` : id, text);
    response.end('ok');
  });
  const fleet = await startFleet(SERVERS, run.databaseUrl);
  try {
    const cards: Credentials[] = [];
    for (let n = 0; n < run.cards; n++) cards.push((await addCard(fleet)).credentials);
    await fleet.merchant(0, 'POST', ENDPOINTS, { url: receiver.url });
    const happening = spend(fleet, cards, run.events, random);
    const striking = strike(fleet, run, () => taken.size);
    const [acknowledged] = await Promise.all([happening, striking]);
    await untilDelivered(run);
    const written = await sql<{ id: string }>(
      run.databaseUrl,
      `select e.id from events e join webhook_deliveries d on d.program_id = e.program_id and d.event_id = e.id`,
    );
    return judge(acknowledged, written, taken, bodies);
  } finally {
    await fleet.close();
    await receiver.close();
  }
}

/** Asks whoever is up until the answer is known: the network would do the same. Gives the transactions it was told of. */
async function spend(
  fleet: Fleet,
  cards: Credentials[],
  events: number,
  random: () => number,
): Promise<string[]> {
  const acknowledged: string[] = [];
  let left = events;
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      while (left-- > 0) {
        const card = cards[Math.floor(random() * cards.length)] as Credentials;
        const message = purchase(randomUUID(), card, '1.00');
        for (let place = caller % SERVERS; ; place = (place + 1) % SERVERS) {
          const answer = await fleet.network(place, 'authorizations/', message).catch(() => undefined);
          if (answer?.status === 200) {
            acknowledged.push(answer.body.transaction_id);
            break;
          }
          await pause(20);
        }
      }
    }),
  );
  return acknowledged;
}

/** Evenly over the first deliveries, of which a third fails. */
async function strike(
  fleet: Fleet,
  { events, kills, crashDatabase, log = () => {} }: WebhookRun,
  taken: () => number,
): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    while (taken() < (0.6 * events * (kill + 1)) / kills) await pause(20);
    crashDatabase?.();
    await fleet.killAndRestart(kill % SERVERS);
    log(`kill ${kill + 1} of ${kills}, ${taken()} taken`);
  }
}

/** Nobody waits here for hours between attempts: what is planned for later is made due again and again. */
async function untilDelivered({ databaseUrl }: WebhookRun): Promise<void> {
  for (;;) {
    const [state] = await sql<{ left: number }>(
      databaseUrl,
      `with due as (
         update webhook_deliveries set due_at = clock_timestamp()
         where due_at > clock_timestamp() + interval '2 seconds' returning 1)
       select count(*)::int as left from webhook_deliveries where due_at is not null`,
    ).catch(unlessDeadlock);
    if (state?.left === 0) return;
    await pause(500);
  }
}

/** The servers lock the same rows in another order. They try again by themselves; so do we. */
function unlessDeadlock(error: Error & { code?: string }): [] {
  if (error.code !== '40P01') throw error;
  return [];
}

/** By what callers were told, by what the database holds, and by what the receiver took. */
function judge(
  acknowledged: readonly string[],
  written: ReadonlyArray<{ id: string }>,
  taken: ReadonlyMap<string, number>,
  bodies: ReadonlyMap<string, string>,
): WebhookFindings {
  const known = new Set(written.map(({ id }) => id));
  const findings = [
    ...[...known].filter((id) => !taken.has(id)).map((id) => `event ${id} was lost`),
    ...[...taken.keys()].filter((id) => !known.has(id)).map((id) => `event ${id} never happened`),
  ];
  const told = new Map<string, number>();
  const sequences = new Map<string, number[]>();
  for (const [id, text] of bodies) {
    const { eventId, data } = JSON.parse(text);
    if (eventId !== id) findings.push(`event ${id} came with the body of ${eventId}`);
    told.set(data.transaction_id, (told.get(data.transaction_id) ?? 0) + 1);
    const numbers = sequences.get(data.card_id) ?? [];
    sequences.set(data.card_id, numbers);
    numbers.push(data.sequence);
  }
  for (const id of acknowledged)
    if (told.get(id) !== 1) findings.push(`transaction ${id} was told of ${told.get(id) ?? 0} times`);
  for (const [cardId, numbers] of sequences) {
    // The first event of a card was before the endpoint.
    const sorted = numbers.sort((a, b) => a - b);
    if (sorted.some((number, place) => number !== place + 2))
      findings.push(`gaps in the events of ${cardId}`);
  }
  const received = [...taken.values()].reduce((sum, times) => sum + times, 0);
  return { received, duplicates: received - taken.size, findings };
}
