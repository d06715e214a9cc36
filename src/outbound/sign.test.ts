import { inspect } from 'node:util';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newId } from '../kernel/ids.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';
import { newSecret, signatureHeaders } from './sign.ts';

/** The published verifier. It also requires a timestamp within the last five minutes. */
const verify = (key: Secret, body: string, headers: Record<string, string>): unknown =>
  new Webhook(reveal(key)).verify(body, headers);

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const body = fc
  .record({ eventType: fc.string({ unit: 'binary' }), data: fc.jsonValue({ stringUnit: 'grapheme' }) })
  .map((event) => JSON.stringify(event));
const keys = fc.integer({ min: 1, max: 3 }).map((count) => Array.from({ length: count }, newSecret));

test('a secret is 32 random bytes and prints as [secret]', () => {
  const made = Array.from({ length: 100 }, newSecret);
  for (const each of made) expect(reveal(each)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(new Set(made.map(reveal)).size).toBe(100);
  expect(`${inspect(made[0])}${JSON.stringify(made[0])}`).not.toMatch(/whsec/);
});

test('the published example has the published signature', () => {
  const headers = signatureHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    secrets: [secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

describe('the published verifier', () => {
  test('accepts every body, under each of the secrets that sign', () => {
    fc.assert(
      fc.property(body, keys, (text, secrets) => {
        const headers = signatureHeaders({
          id: newId(Date.now()),
          timestamp: nowSeconds(),
          body: text,
          secrets,
        });
        for (const each of secrets) expect(verify(each, text, headers)).toEqual(JSON.parse(text));
        expect(() => verify(newSecret(), text, headers)).toThrow('No matching signature');
      }),
    );
  });

  test('gets the signature of the newest secret first', () => {
    const [newest, oldest] = [newSecret(), newSecret()];
    const message = { id: newId(Date.now()), timestamp: nowSeconds(), body: '{}' };
    const both = signatureHeaders({ ...message, secrets: [newest, oldest] });
    const alone = signatureHeaders({ ...message, secrets: [newest] });
    expect(both['webhook-signature']?.split(' ')[0]).toBe(alone['webhook-signature']);
  });

  test('refuses a change at any position', () => {
    const secrets = [newSecret(), newSecret()];
    fc.assert(
      fc.property(body, fc.nat(), fc.integer({ min: 1, max: 255 }), (text, offset, change) => {
        const timestamp = nowSeconds();
        const headers = signatureHeaders({ id: newId(Date.now()), timestamp, body: text, secrets });
        const refused = (wrong: { body?: string; headers?: Record<string, string> }) => {
          for (const each of secrets)
            expect(() => verify(each, wrong.body ?? text, { ...headers, ...wrong.headers })).toThrow(
              /signature/i,
            );
        };
        const bytes = Buffer.from(text);
        const at = offset % bytes.length;
        bytes.writeUInt8(bytes.readUInt8(at) ^ change, at);
        // Invalid UTF-8 decodes to the same replacement character.
        if (bytes.toString() !== text) refused({ body: bytes.toString() });
        refused({ body: `${text} ` });
        refused({ headers: { 'webhook-id': newId(Date.now()) } });
        refused({ headers: { 'webhook-timestamp': String(timestamp - 1) } });
        refused({ headers: { 'webhook-signature': 'v1,' } });
        refused({
          headers: { 'webhook-signature': headers['webhook-signature']?.replaceAll('v1,', 'v2,') ?? '' },
        });
        refused({ headers: { 'webhook-signature': flipLetter(headers['webhook-signature'] ?? '', offset) } });
      }),
    );
  });
});

/**
 * Changes the letter at the same position of each signature. The last letter before the padding has two unused bits.
 */
const flipLetter = (signatures: string, offset: number): string =>
  signatures
    .split(' ')
    .map((signature) => {
      const letters = [...signature];
      const at = 3 + (offset % 42);
      letters[at] = letters[at] === 'A' ? 'B' : 'A';
      return letters.join('');
    })
    .join(' ');
