import { afterAll, expect, test } from 'vitest';
import { authenticationOf } from '../support/authentications/authentications.ts';
import { CARDS, consumerCard } from '../support/cards/cards.ts';
import { freePort } from '../support/server/free-port.ts';
import {
  endAll,
  MERCHANT_KEY,
  NETWORK_KEY,
  ownDatabase,
  startServerProcess,
} from '../support/server/server-process.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';

afterAll(endAll);

test('a server that is killed while it sends a code leaves a challenge that a repeat takes over with a new code', async () => {
  const database = await ownDatabase();
  let server = await startServerProcess(await freePort(), database);
  // The first code arrives, and its response is lost.
  const merchant = await startReceiver(
    () => {},
    (_, response) => void response.writeHead(200).end(),
  );
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        'x-payments-api-key': MERCHANT_KEY,
        'x-network-key': NETWORK_KEY,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads answers freely
    return (await response.json()) as any;
  };
  await call('PUT', '/api/v1/merchant/decision-endpoints/otp/', { url: merchant.url });
  const { id } = await call('POST', CARDS, consumerCard());
  const { cardNumber } = await call('GET', `${CARDS}${id}/credentials/`);
  const card = { number: cardNumber, owner: { program: { currency: 'EUR' } } };
  const request = authenticationOf(card as never, { expiry: undefined });
  const path = '/api/v1/network/authentications/';
  const lost = call('POST', path, request).catch(() => 'lost');
  await expect.poll(() => merchant.arrived.length, { timeout: 60_000 }).toBe(1);
  await server.kill('SIGKILL');
  expect(await lost).toBe('lost');

  server = await startServerProcess(await freePort(), database);
  const own = `${path}${request.authentication_id}/`;
  expect(await call('GET', own)).toMatchObject({ status: 'CHALLENGE', sends_left: 2 });
  const repeats = await Promise.all([call('POST', path, request), call('POST', path, request)]);
  for (const repeat of repeats) expect(repeat).toMatchObject({ status: 'CHALLENGE', sends_left: 1 });
  const codes = merchant.arrived.map(({ body }) => JSON.parse(body).data.otp as string);
  expect(codes).toHaveLength(2);
  const [first, second] = codes as [string, string];
  if (first !== second)
    expect(await call('POST', `${own}attempts/`, { otp: first })).toMatchObject({ attempts_left: 2 });
  expect(await call('POST', `${own}attempts/`, { otp: second })).toMatchObject({ status: 'AUTHENTICATED' });
  const { results } = await call('GET', '/api/v1/merchant/webhook-events/');
  const names = results.map(({ eventName }: { eventName: string }) => eventName);
  expect(names.filter((name: string) => name.startsWith('authentication.'))).toEqual([
    'authentication.completed',
  ]);
  await merchant.close();
}, 60_000);
