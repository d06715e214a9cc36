import { afterAll, beforeAll, expect, test } from 'vitest';
import { CARDS, consumerCard } from '../support/cards.ts';
import { readMemory } from '../support/memory.ts';
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

/** What begins so, with as many bytes as are asked for. */
function findAll(hay: Buffer, beginning: string, length: number): string[] {
  const found: string[] = [];
  for (let at = hay.indexOf(beginning); at !== -1; at = hay.indexOf(beginning, at + 1))
    found.push(hay.toString('latin1', at, at + length));
  return found;
}

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
    const shown = new Set(numbers.map((number) => number.slice(0, 12)));
    // All begin alike, so that one look is enough.
    const alike = memory.flatMap((part) => findAll(part, (numbers[0] as string).slice(0, 6), 12));
    expect(alike.filter((text) => shown.has(text))).toEqual([]);
    // The look finds what is there.
    expect(memory.flatMap((part) => findAll(part, MERCHANT_KEY, MERCHANT_KEY.length))).toContain(
      MERCHANT_KEY,
    );
  },
  60_000,
);
