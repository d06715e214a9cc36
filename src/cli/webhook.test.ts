import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCard } from '../../test/support/cards/cards.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { startTestApp, type TestApp } from '../../test/support/server/test-app.ts';
import { type Receiver, startReceiver } from '../../test/support/webhooks/webhook-receiver.ts';
import { deliver } from '../../test/support/webhooks/webhooks.ts';
import { lowestIdAt } from '../kernel/ids.ts';

let app: TestApp;
let receiver: Receiver;
let worker: { stop: () => Promise<void> };
let status = 200;
const emboss = (...args: string[]) => runCli(app.env, args);
const SOON = { timeout: 60_000 };
/** More than the command handles at once. */
const MANY = 2_500;

beforeAll(async () => {
  app = await startTestApp();
  receiver = await startReceiver((_got, response) => response.writeHead(status).end('thanks'));
  worker = deliver(app);
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([app.close(), receiver.close()]);
});

describe('emboss webhook', () => {
  test('adds an endpoint and shows its secret once', async () => {
    const added = await emboss('webhook', 'add', receiver.url, '--events', 'card');
    expect([added.code, added.err]).toEqual([0, '']);
    const secret = /whsec_\S+/.exec(added.out)?.[0] as string;
    expect(added.out).toContain('it is shown only once');
    const list = await emboss('webhook', 'list');
    expect(list.out).toContain(receiver.url);
    expect(list.out).toContain('ENABLED');
    expect(list.out).not.toContain(secret);
    const rotated = await emboss('--json', 'webhook', 'rotate', receiver.url);
    expect(rotated.json.secret).not.toBe(secret);
  });

  test('tests an endpoint and prints the response', async () => {
    expect((await emboss('webhook', 'test', receiver.url)).out).toMatch(/^Delivered to .* ms: 200$/m);
    status = 500;
    const failed = await emboss('--json', 'webhook', 'test', receiver.url);
    expect([failed.code, failed.json]).toMatchObject([1, { delivered: false, statusCode: 500 }]);
    status = 200;
  });

  test('lists events and resends one, or all that failed', async () => {
    await createCard(app);
    const got = await receiver.until((all) => all.some(({ body }) => body.eventType === 'card'));
    const { eventId } = got.find(({ body }) => body.eventType === 'card')?.body ?? {};
    await vi.waitFor(
      async () => expect((await emboss('webhook', 'events')).out).toContain('DELIVERED (1)'),
      SOON,
    );
    const times = () => receiver.received.filter(({ body }) => body.eventId === eventId).length;
    expect((await emboss('--json', 'webhook', 'resend', eventId)).json).toEqual({ deliveries: 1 });
    await vi.waitFor(() => expect(times()).toBe(2), SOON);
    expect((await emboss('--json', 'webhook', 'resend', '--since', '1d')).json).toEqual({ deliveries: 0 });
    await app.sql("update webhook_deliveries set status = 'FAILED', due_at = null");
    const missed = await emboss('--json', 'webhook', 'resend', '--since', '1d', '--endpoint', receiver.url);
    expect(missed.json).toEqual({ deliveries: 1 });
    await vi.waitFor(() => expect(times()).toBe(3), SOON);
  });

  test.each([
    ['an event and --since', ['resend', '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f', '--since', '1d'], 2],
    ['neither', ['resend'], 2],
    ['no duration', ['resend', '--since', 'soon'], 2],
    ['an unknown event type', ['add', 'https://shop.example', '--events', 'cards'], 2],
    ['no URL', ['add', 'shop'], 1],
    ['an unknown endpoint', ['remove', 'https://nowhere.example'], 3],
    ['an unknown event', ['resend', '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f'], 3],
    ['too many events', ['events', '--limit', '1000'], 2],
  ])('refuses %s', async (_name, args, code) => {
    const refused = await emboss('webhook', ...args);
    expect([refused.code, refused.out]).toEqual([code, '']);
    expect(refused.err).not.toBe('');
  });

  test('resends all that failed, for any number of events, and shows progress', async () => {
    const [endpoint] = await app.sql<{ id: string }>('select id from webhook_endpoints');
    await worker.stop();
    await app.sql(
      `with event as (
         insert into events (program_id, id, event_type, event_name, data, created_at)
         select $1, overlay(gen_random_uuid()::text placing $3 from 1 for 13)::uuid, 'card', 'card.frozen', '{}', now()
         from generate_series(1, $4::int) returning id)
       insert into webhook_deliveries (program_id, endpoint_id, event_id, status)
       select $1, $2, id, 'FAILED' from event`,
      [app.program.id, endpoint?.id, lowestIdAt(Date.now() - 3_600_000).slice(0, 13), MANY],
    );
    let drawn = '';
    const err = (text: string) => {
      drawn += text;
    };
    const { json } = await runCli(app.env, ['--json', 'webhook', 'resend', '--since', '2h'], {
      err,
      live: true,
    });
    expect(json).toEqual({ deliveries: MANY });
    expect(drawn).toMatch(/resend █+░+ {2}(49|50) %/);
    expect(drawn.endsWith('\r\u001b[2K')).toBe(true);
    expect((await emboss('--json', 'webhook', 'resend', '--since', '2h')).json).toEqual({ deliveries: 0 });
  });

  test('removes an endpoint', async () => {
    expect((await emboss('webhook', 'remove', receiver.url)).code).toBe(0);
    expect((await emboss('webhook', 'list')).out).toContain('no webhook endpoints');
  });

  test('accepts event types separated by commas, spaces or both', async () => {
    const several = await emboss(
      'webhook',
      'add',
      `${receiver.url}/2`,
      '--events',
      'card,files',
      'transaction',
    );
    expect(several.out).toMatch(/^ +events +card, files, transaction$/m);
  });
});
