import { afterAll, beforeAll, expect, test } from 'vitest';
import { CARDS, consumerCard } from '../support/cards.ts';
import { readMemory } from '../support/memory.ts';
import { findBytes, textNeedle } from '../support/scan.ts';
import {
  endAll,
  freePort,
  MERCHANT_KEY,
  newDataDir,
  type ServerProcess,
  startServerProcess,
} from '../support/server-process.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess(await freePort(), { DATA_DIR: newDataDir() });
}, 60_000);
afterAll(endAll);

const call = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'x-payments-api-key': MERCHANT_KEY, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as { id: string; cardNumber: string; cvv: string };
};

test.skipIf(process.platform !== 'linux')(
  'a raw dump holds no number of a card that was made and shown',
  async () => {
    const numbers: string[] = [];
    for (let n = 0; n < 20; n++) {
      const { id } = await call('POST', CARDS, consumerCard());
      const { cardNumber, cvv } = await call('GET', `${CARDS}${id}/credentials/`);
      expect([cardNumber.length, cvv.length]).toEqual([16, 3]);
      numbers.push(cardNumber);
    }
    const memory = readMemory(server.child.pid as number);
    const needles = numbers.map((number, place) => textNeedle(`number ${place}`, number.slice(0, 12)));
    expect(memory.flatMap((part) => findBytes('memory', part, needles))).toEqual([]);
    // The look finds what is there.
    const key = [textNeedle('key', MERCHANT_KEY)];
    expect(new Set(memory.flatMap((part) => findBytes('memory', part, key)))).toEqual(
      new Set(['memory: key']),
    );
  },
  60_000,
);
