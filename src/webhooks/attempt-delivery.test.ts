import { expect, test, vi } from 'vitest';
import { secret } from '../kernel/secret.ts';
import type { Sender, SendRequest } from '../outbound/send-request.ts';
import { attemptDelivery } from './attempt-delivery.ts';

const event = {
  id: '00000000-0000-7000-8000-00000000000e',
  eventType: 'files' as const,
  eventName: 'daily_file',
  cardId: null,
  cardSequence: null,
  data: { reference_id: 'ref-1' },
  // Program time: the clock of a sandbox may be far ahead.
  createdAt: new Date('2199-01-01'),
};
const target = {
  programId: 'program-1',
  url: 'https://hooks.example/',
  reach: 'live' as const,
  secrets: [secret(`whsec_${Buffer.alloc(32).toString('base64')}`)],
};

test('an attempt has 15 seconds, the id of its event, a timestamp of real time and a link of its own', async () => {
  const sent: SendRequest[] = [];
  const sendRequest: Sender['sendRequest'] = async (request) => {
    sent.push(request);
    return { error: 'connection lost', kind: 'unreachable', durationMs: 1 };
  };
  const link = vi.fn(async (_programId: string, id: string) => ({ link: `${id} ${sent.length}` }));
  for (let attempt = 0; attempt < 2; attempt++)
    await attemptDelivery({ sendRequest } as Sender, target, event, link);
  for (const { timeoutMs, headers, reach } of sent) {
    expect([timeoutMs, reach, headers['webhook-id']]).toEqual([15_000, 'live', event.id]);
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(3_600);
  }
  expect(sent.map(({ body }) => JSON.parse(String(body)).data)).toEqual([
    { link: 'ref-1 0' },
    { link: 'ref-1 1' },
  ]);
});
