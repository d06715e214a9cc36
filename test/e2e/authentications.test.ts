import { afterEach, describe, expect, test } from 'vitest';
import {
  type Authenticating,
  startAuthenticating,
  wrongFor,
} from '../support/authentications/authentications.ts';
import { networkApp } from '../support/cards/network.ts';

const app = networkApp();
const open: Authenticating[] = [];
afterEach(async () => {
  for (const { merchant } of open.splice(0)) await merchant.receiver.close();
});
const start = async (
  ...given: Parameters<typeof startAuthenticating> extends [unknown, ...infer Rest] ? Rest : never
) => {
  const started = await startAuthenticating(app, ...given);
  open.push(started);
  return started;
};

describe('a challenge by one-time password', () => {
  test('sends a code through the endpoint, and the code authenticates once', async () => {
    const { merchant, card, create, attempt, get, codes } = await start();
    const challenge = await create();
    expect(challenge).toEqual({
      authentication_id: expect.any(String),
      status: 'CHALLENGE',
      trans_status: 'C',
      method: 'OTP',
      destination: '•••123',
      expires_at: expect.any(String),
      reason: null,
      attempts_left: 3,
      sends_left: 2,
    });
    expect(merchant.asked).toEqual([
      {
        eventType: 'decision',
        eventName: 'otp.request',
        eventId: expect.any(String),
        created: expect.any(String),
        data: {
          otp: expect.stringMatching(/^\d{6}$/),
          external_customer_id: expect.any(String),
          destination: expect.stringMatching(/^\+\d+123$/),
          amount: '12.50',
          currency: 'EUR',
          merchant_name: 'Corner Coffee',
          last_four: card.number.slice(-4),
          purpose: '3ds',
          expires_at: challenge.expires_at,
        },
      },
    ]);
    const id = challenge.authentication_id;
    const [otp = ''] = codes();
    expect(await attempt(id, wrongFor(otp))).toMatchObject({ status: 'CHALLENGE', attempts_left: 2 });
    expect(await attempt(id, otp)).toMatchObject({
      status: 'AUTHENTICATED',
      trans_status: 'Y',
      reason: null,
    });
    expect(await attempt(id, wrongFor(otp))).toMatchObject({ status: 'AUTHENTICATED', trans_status: 'Y' });
    expect(await get(id)).toMatchObject({ status: 'AUTHENTICATED', attempts_left: 0, sends_left: 0 });
  });
});
