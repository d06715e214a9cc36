import { afterAll, beforeAll, expect, test } from 'vitest';
import { CARDS, consumerCard } from '../support/cards/cards.ts';
import { MERCHANT } from '../support/cards/network.ts';
import { challengeOf, newVerifier } from '../support/cards/reveal.ts';
import { freePort } from '../support/server/free-port.ts';
import { readMemory } from '../support/server/memory.ts';
import {
  endAll,
  MERCHANT_KEY,
  NETWORK_KEY,
  ownDatabase,
  type ServerProcess,
  startServerProcess,
} from '../support/server/server-process.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess(await freePort(), await ownDatabase());
});
afterAll(endAll);

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
  expect(response.ok).toBe(true);
  return (await response.json()) as {
    id: string;
    url: string;
    cardNumber: string;
    cvv: string;
    expiryDate: string;
  };
};

/** What begins with this text, with the given number of bytes. */
function findAll(hay: Buffer, beginning: string, length: number): string[] {
  const found: string[] = [];
  for (let at = hay.indexOf(beginning); at !== -1; at = hay.indexOf(beginning, at + 1))
    found.push(hay.toString('latin1', at, at + length));
  return found;
}

test.skipIf(process.platform !== 'linux')(
  'a raw memory dump contains no one-time password that was sent and entered',
  async () => {
    const merchant = await startReceiver((_, response) => void response.end());
    await call('PUT', '/api/v1/merchant/decision-endpoints/otp/', { url: merchant.url });
    for (let n = 0; n < 20; n++) {
      const { id } = await call('POST', CARDS, consumerCard());
      const { cardNumber } = await call('GET', `${CARDS}${id}/credentials/`);
      await call('POST', '/api/v1/network/authentications/', {
        authentication_id: `dump-${n}`,
        card_number: cardNumber,
        amount: '1.00',
        currency: 'EUR',
        merchant: MERCHANT,
        device_channel: 'BROWSER',
        category: 'PAYMENT',
        challenge: 'NO_PREFERENCE',
      });
      const { otp } = JSON.parse(merchant.arrived[n]?.body ?? '').data;
      await call('POST', `/api/v1/network/authentications/dump-${n}/attempts/`, { otp });
    }
    for (let n = 0; n < 20; n++) await call('POST', CARDS, consumerCard());
    const codes = merchant.arrived.map(({ body }) => JSON.parse(body).data.otp as string);
    await merchant.close();
    const memory = readMemory(server.child.pid as number);
    const named = memory.flatMap((part) => findAll(part, '"otp":"', 13)).map((text) => text.slice(7));
    expect(named.filter((text) => codes.includes(text))).toEqual([]);
    // The look finds what is there: the bodies that were overwritten, and the examples of the API document.
    expect(named.length).toBeGreaterThan(0);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a raw memory dump contains no number of a card that was created, revealed and used',
  async () => {
    const numbers: string[] = [];
    for (let n = 0; n < 20; n++) {
      const { id } = await call('POST', CARDS, consumerCard());
      const { cardNumber, cvv, expiryDate } = await call('GET', `${CARDS}${id}/credentials/`);
      expect([cardNumber.length, cvv.length]).toEqual([16, 3]);
      numbers.push(cardNumber);
      const verifier = newVerifier();
      const { url } = await call('POST', `${CARDS}${id}/reveal-sessions/`, {
        origin: null,
        challenge: challengeOf(verifier),
      });
      const shown = await call('POST', new URL(url).pathname, { verifier });
      expect(shown.cardNumber).toBe(cardNumber);
      await call('POST', '/api/v1/network/authorizations/', {
        external_transaction_id: `dump-${n}`,
        card_number: cardNumber,
        expiry: expiryDate.slice(0, 7),
        cvv,
        amount: '1.00',
        currency: 'EUR',
        channel: 'POS',
        merchant: MERCHANT,
      });
    }
    // The last bytes that arrived stay in the buffer that Node reads into until others overwrite them.
    for (let n = 0; n < 20; n++) await call('POST', CARDS, consumerCard());
    const memory = readMemory(server.child.pid as number);
    const shown = new Set(numbers.map((number) => number.slice(0, 12)));
    // All begin alike, so that one look is enough.
    const alike = memory.flatMap((part) => findAll(part, (numbers[0] as string).slice(0, 6), 12));
    expect(alike.filter((text) => shown.has(text))).toEqual([]);
    // The look finds what is there.
    expect(memory.flatMap((part) => findAll(part, MERCHANT_KEY, MERCHANT_KEY.length))).toContain(
      MERCHANT_KEY,
    );
  },
);
