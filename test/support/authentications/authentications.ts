import { expect } from 'vitest';
import { startDeciding } from '../cards/deciding-merchant.ts';
import {
  MERCHANT,
  newMessageId,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
} from '../cards/network.ts';
import type { Answer, TestApp } from '../server/test-app.ts';

export const authenticationOf = (
  { number, expiry, owner }: PayingCard,
  changes: Record<string, unknown> = {},
) => ({
  authentication_id: newMessageId('acs'),
  card_number: number,
  expiry,
  amount: '12.50',
  currency: owner.program.currency,
  merchant: MERCHANT,
  device_channel: 'BROWSER',
  category: 'PAYMENT',
  challenge: 'NO_PREFERENCE',
  ...changes,
});

export const callNetwork = (
  app: TestApp,
  owner: Owner,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> =>
  app.call(method, `/api/v1/network/${path}`, {
    ...(body && { body }),
    key: null,
    networkKey: owner.networkKey,
  });

/** A program whose merchant sends codes, and decides if it wants to, with a card. */
export async function startAuthenticating(app: TestApp, kinds: readonly string[] = ['otp']) {
  const owner = await ownProgram(app);
  const merchant = await startDeciding(app, owner, kinds);
  const card = await payingCard(app, {}, owner);
  const codes = (): string[] => merchant.requests.flatMap(({ data }) => (data['otp'] as string) ?? []);
  const accepted = async (path: string, body?: object, method = 'POST') => {
    const answer = await callNetwork(app, owner, method, path, body);
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    return answer.body;
  };
  const create = (changes: Record<string, unknown> = {}, by: PayingCard = card) =>
    accepted('authentications/', authenticationOf(by, changes));
  const on = (id: string, what: string, body?: object) => accepted(`authentications/${id}/${what}`, body);
  const attempt = (id: string, otp: string) => on(id, 'attempts/', { otp });
  const get = (id: string) => accepted(`authentications/${id}/`, undefined, 'GET');
  return { app, owner, merchant, card, codes, accepted, create, on, attempt, get };
}
export type Authenticating = Awaited<ReturnType<typeof startAuthenticating>>;

/** Any code but this one. */
export const wrongFor = (otp: string | undefined): string => (otp === '111111' ? '222222' : '111111');
