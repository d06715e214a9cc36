import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmboss, type Emboss, type Event, verifyWebhook, WebhookError } from '../../sdk/src/index.ts';
import { createCard } from '../support/cards/cards.ts';
import { swipe } from '../support/cards/swipe.ts';
import { appForTests } from '../support/server/test-app.ts';
import { type Received, type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { deliver, verifies } from '../support/webhooks/webhooks.ts';

const app = appForTests();
let emboss: Emboss;
let receiver: Receiver;
let stop: () => Promise<void>;
let secret: string;
let endpointId: string;

beforeAll(async () => {
  emboss = createEmboss({ apiKey: app.key, baseUrl: app.url });
  receiver = await startReceiver();
  stop = deliver(app).stop;
  ({ secret, id: endpointId } = await emboss.webhookEndpoints.add({ url: receiver.url }));
});
afterAll(async () => {
  await stop();
  await receiver.close();
});

/** The next delivery that something causes. */
async function delivery(cause: () => Promise<unknown>, name: string): Promise<Received> {
  receiver.received.length = 0;
  await cause();
  const isIt = ({ body }: Received) => body.eventName === name;
  return (await receiver.until((received) => received.some(isIt))).find(isIt) as Received;
}

/** What a receiver does with an event: the types narrow its data. */
function describeEvent({ eventName, data }: Event): string {
  if (eventName === 'card.created') return `card ${data.lastFour} is ${data.status}`;
  if (eventName === 'authorization.declined')
    return `declined ${data.bill_amount} ${data.bill_currency}: ${data.decline_reason}`;
  if (eventName === 'daily_file') return data.link;
  return eventName === 'test' ? data.message : eventName;
}

test('real deliveries verify, and their events are typed', async () => {
  let card = { id: '', lastFour: '' };
  const created = await delivery(async () => {
    card = await createCard(app);
  }, 'card.created');
  expect(describeEvent(await verifyWebhook(created.text, created.headers, secret))).toBe(
    `card ${card.lastFour} is ACTIVE`,
  );
  const declined = await delivery(() => swipe(app, card.id, '9999.00'), 'authorization.declined');
  const event = await verifyWebhook(
    Buffer.from(declined.text),
    new Headers(declined.headers as never),
    secret,
  );
  expect(describeEvent(event)).toBe('declined 9999.00 EUR: insufficient_funds');
  const tested = await delivery(() => emboss.webhookEndpoints.test(endpointId), 'test');
  expect(describeEvent(await verifyWebhook(tested.text, tested.headers, [secret]))).toBe('It works');
});

test('while a secret is rotated, the old one and the new one verify', async () => {
  const { secret: fresh } = await emboss.webhookEndpoints.rotateSecret(endpointId);
  const got = await delivery(() => createCard(app), 'card.created');
  expect(got.headers['webhook-signature']).toContain(' ');
  for (const known of [secret, fresh, [fresh, secret]])
    await expect(verifyWebhook(got.text, got.headers, known)).resolves.toMatchObject({ eventType: 'card' });
});

describe('is refused, as by the published verifier', () => {
  const OTHER_SECRET = `whsec_${Buffer.from('another secret of the same length').toString('base64')}`;
  const minutesOff = (minutes: number) => String(Math.floor(Date.now() / 1000) + minutes * 60);

  test.each<[string, (got: Received) => Received, string]>([
    ['another body', (got) => ({ ...got, text: got.text.replace('ACTIVE', 'FROZEN') }), 'signature'],
    ['another id', (got) => withHeader(got, 'webhook-id', 'other'), 'signature'],
    ['another time', (got) => withHeader(got, 'webhook-timestamp', minutesOff(1)), 'signature'],
    ['too old', (got) => withHeader(got, 'webhook-timestamp', minutesOff(-6)), 'timestamp'],
    ['of the future', (got) => withHeader(got, 'webhook-timestamp', minutesOff(6)), 'timestamp'],
    ['a time that is none', (got) => withHeader(got, 'webhook-timestamp', '1e9'), 'timestamp'],
    ['no signature', (got) => withHeader(got, 'webhook-signature', undefined), 'signature'],
    ['a signature that is no base64', (got) => withHeader(got, 'webhook-signature', 'v1,***'), 'signature'],
    [
      'another version',
      (got) =>
        withHeader(
          got,
          'webhook-signature',
          String(got.headers['webhook-signature']).replaceAll('v1,', 'v2,'),
        ),
      'signature',
    ],
    [
      'half a signature',
      (got) => withHeader(got, 'webhook-signature', String(got.headers['webhook-signature']).slice(0, 20)),
      'signature',
    ],
  ])('%s', async (_name, alter, word) => {
    const got = await delivery(() => createCard(app), 'card.created');
    await verifyWebhook(got.text, got.headers, secret);
    expect(verifies(got, secret)).toBe(true);
    const altered = alter(got);
    const refused = await verifyWebhook(altered.text, altered.headers, secret).catch((error) => error);
    expect(refused).toBeInstanceOf(WebhookError);
    expect(refused.message).toContain(`webhook-${word}`);
    expect(verifies(altered, secret)).toBe(false);
  });

  test('a wrong secret, and a text that is not a secret', async () => {
    const got = await delivery(() => createCard(app), 'card.created');
    await expect(verifyWebhook(got.text, got.headers, OTHER_SECRET)).rejects.toThrow(WebhookError);
    for (const none of ['', 'whsec_', 'whsec_***'])
      await expect(verifyWebhook(got.text, got.headers, none)).rejects.toThrow(TypeError);
  });

  test('a signed body that is not an event', async () => {
    for (const text of ['hello', 'null', '"text"', '[]', '']) {
      const refused = await verifyWebhook(text, signed(text), SECRET).catch((error) => error);
      expect(refused).toBeInstanceOf(WebhookError);
      expect(refused.message).toBe('body: the signature is valid, but the body is not an event');
    }
  });

  const withHeader = (got: Received, name: string, value: string | undefined): Received => ({
    ...got,
    headers: { ...got.headers, [name]: value },
  });
});

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const EVENT = JSON.stringify({ eventType: 'card', eventName: 'card.frozen' });

function signed(text: string): Record<string, string> {
  const sent = new Date();
  return {
    'webhook-id': 'event-1',
    'webhook-timestamp': String(Math.floor(sent.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('event-1', sent, text),
  };
}

describe('an error in the receiver’s code is a TypeError, for any request', () => {
  test.each([
    ['a parsed body', JSON.parse(EVENT)],
    ['no body', undefined],
    ['null', null],
  ])('%s', async (_name, body) => {
    const mistake = await verifyWebhook(body as never, signed(EVENT), SECRET).catch((error) => error);
    expect(mistake).toBeInstanceOf(TypeError);
    expect(mistake.message).toMatch(/^body: must be the raw request body/);
  });

  test.each([
    ['undefined', undefined],
    ['empty', ''],
    ['none of many', []],
    ['one of two', [SECRET, undefined]],
  ])('a missing secret: %s', async (_name, secrets) => {
    for (const headers of [signed(EVENT), {}]) {
      const mistake = await verifyWebhook(EVENT, headers, secrets as never).catch((error) => error);
      expect(mistake).toBeInstanceOf(TypeError);
      expect(mistake.message).toMatch(/^secrets: is missing/);
    }
  });
});

test('headers are found in any case', async () => {
  const headers = Object.entries(signed(EVENT));
  for (const write of [
    (name: string) => name.toUpperCase(),
    (name: string) => name.replace(/\b\w/g, (letter) => letter.toUpperCase()),
  ]) {
    const written = Object.fromEntries(headers.map(([name, value]) => [write(name), value]));
    expect(await verifyWebhook(EVENT, written, SECRET)).toEqual(JSON.parse(EVENT));
  }
});
