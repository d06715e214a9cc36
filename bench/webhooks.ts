import { setTimeout as pause } from 'node:timers/promises';
import { createAddressRules } from '../src/outbound/address-rules.ts';
import { createSender } from '../src/outbound/send-request.ts';
import { newSecret } from '../src/outbound/sign.ts';
import { attemptDelivery } from '../src/webhooks/attempt-delivery.ts';
import { consumerCard } from '../test/support/cards/cards.ts';
import { startReceiver } from '../test/support/webhooks/webhook-receiver.ts';
import { type Figure, median } from './figures.ts';
import { openLine } from './http-load.ts';
import { fillDeliveries, isUndelivered, switchEndpoints } from './queries.ts';
import type { Stage } from './stage.ts';

const LIMITS = { bare: 0.3, dead: 0.9, firstAttemptMs: 250 };
const CONCURRENCY = 32;
const PATHS = { cards: '/api/v1/merchant/cards/', endpoints: '/api/v1/merchant/webhook-endpoints/' };

/** Deliveries per second against the same client without a database, beside a dead endpoint, and how soon the first is tried. */
export async function benchWebhooks(stage: Stage, quick: boolean): Promise<Figure[]> {
  const count = quick ? 3_000 : 20_000;
  const rounds = quick ? 2 : 3;
  const receiver = await stage.startReceiver();
  const rates: Array<{ product: number; bare: number; besideDead: number }> = [];
  for (let round = -1; round < rounds; round++) {
    const rate = {
      bare: await bareRate(`${receiver.url}/`, count),
      product: await deliveredRate(stage, count, [`${receiver.url}/`]),
      besideDead: await deliveredRate(stage, count, [`${receiver.url}/`, `${receiver.url}/hang`]),
    };
    // The first round only warms up.
    if (round >= 0) rates.push(rate);
  }
  const middle = (name: keyof (typeof rates)[number]) => median(rates.map((rate) => rate[name]));
  const rateText = (rate: number) => `${Math.round(rate)}/s`;
  return [
    {
      name: 'webhooks delivered, one worker',
      measured: rateText(middle('product')),
      against: `same client, no database ${rateText(middle('bare'))}`,
      ratio: median(rates.map(({ product, bare }) => product / bare)),
      limit: { atLeast: LIMITS.bare },
    },
    {
      name: 'webhooks beside a dead endpoint',
      measured: rateText(middle('besideDead')),
      against: `alone ${rateText(middle('product'))}`,
      ratio: median(rates.map(({ product, besideDead }) => besideDead / product)),
      limit: { atLeast: LIMITS.dead },
    },
    await firstAttempt(stage, quick ? 10 : 40),
  ];
}

/** A program of its own each time; the live endpoint is the first. */
async function deliveredRate(stage: Stage, count: number, urls: string[]): Promise<number> {
  const { program, key } = await stage.addProgram('Webhooks');
  const line = await openLine({ url: stage.server.url, key });
  const ids: string[] = [];
  for (const url of urls)
    ids.push(JSON.parse(await line.send({ method: 'POST', path: PATHS.endpoints, body: { url } })).id);
  line.close();
  await switchEndpoints(stage.db, program.id, 'DISABLED');
  await fillDeliveries(stage.db, program.id, ids, count);
  const started = performance.now();
  await switchEndpoints(stage.db, program.id, 'ENABLED');
  while (await isUndelivered(stage.db, program.id, ids[0] as string)) await pause(20);
  const seconds = (performance.now() - started) / 1000;
  // The dead endpoint uses no time while the next one is measured.
  await switchEndpoints(stage.db, program.id, 'DISABLED');
  return count / seconds;
}

async function bareRate(url: string, count: number): Promise<number> {
  const sender = createSender(
    createAddressRules({ loopback: 'shown', privateRanges: [], sandboxPrograms: true }),
  );
  const target = { programId: '', url, reach: 'sandbox' as const, secrets: [newSecret()] };
  const event = {
    id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
    eventType: 'transaction' as const,
    eventName: 'authorization',
    cardId: null,
    cardSequence: 1,
    data: { filler: 'x'.repeat(450) },
    createdAt: new Date(),
  };
  let sent = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (sent++ < count) await attemptDelivery(sender, target, event, async () => ({}));
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  sender.closeAgents();
  return count / seconds;
}

/** From the answer to the merchant's call to the arrival of its event. */
async function firstAttempt(stage: Stage, times: number): Promise<Figure> {
  const { key } = await stage.addProgram('First attempt');
  const receiver = await startReceiver();
  const line = await openLine({ url: stage.server.url, key });
  await line.send({ method: 'POST', path: PATHS.endpoints, body: { url: receiver.url } });
  const waitsMs: number[] = [];
  for (let time = 1; time <= times; time++) {
    await line.send({ method: 'POST', path: PATHS.cards, body: consumerCard() });
    const committed = performance.now();
    await receiver.until(time);
    waitsMs.push(performance.now() - committed);
  }
  line.close();
  await receiver.close();
  const worstMs = Math.max(...waitsMs);
  return {
    name: 'from commit to first attempt, worst',
    measured: `${worstMs.toFixed(0)} ms`,
    against: `${LIMITS.firstAttemptMs} ms`,
    ratio: worstMs / LIMITS.firstAttemptMs,
    limit: { atMost: 1 },
  };
}
