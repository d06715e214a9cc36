import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { TestApp } from '../server/test-app.ts';
import { type Arrived, type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { type Owner, ownProgram } from './network.ts';

export const ENDPOINT = '/api/v1/merchant/decision-endpoints/authorization/';

/** A request as it arrives: the envelope of a webhook. */
export interface DecisionRequest {
  eventId: string;
  eventName: string;
  data: Record<string, unknown>;
}
/** A JSON answer, a bare status, or no answer at all. */
export type Decided = Record<string, unknown> | number | 'hang';
export type Decide = (question: DecisionRequest, request: Arrived) => Decided | Promise<Decided>;

export const APPROVE = { decision: 'APPROVE' };

/** A program whose merchant decides, on a real server of its own. */
export interface DecidingMerchant {
  owner: Owner;
  /** Signs the requests. */
  secret: string;
  /** The requests so far, and how the next ones are answered. */
  requests: DecisionRequest[];
  decide: Decide;
  receiver: Receiver;
  /** Replaces the endpoint's settings. */
  set(settings: Record<string, unknown>, kind?: string): Promise<void>;
}

/** A merchant's server that answers the requests of these kinds, all at one address. */
export async function startDeciding(
  app: TestApp,
  owner: Owner,
  kinds: readonly string[],
  settings: Record<string, unknown> = {},
): Promise<DecidingMerchant> {
  const requests: DecisionRequest[] = [];
  const answer = async (request: Arrived, response: ServerResponse): Promise<void> => {
    const question = JSON.parse(request.body) as DecisionRequest;
    requests.push(question);
    const decided = await merchant.decide(question, request);
    if (decided === 'hang') return;
    if (typeof decided === 'number') response.writeHead(decided).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(decided));
  };
  const receiver = await startReceiver((request, response) => void answer(request, response));
  const put = async (body: Record<string, unknown>, kind: string) => {
    const path = `/api/v1/merchant/decision-endpoints/${kind}/`;
    const answer = await app.call('PUT', path, { body: { url: receiver.url, ...body }, key: owner.key });
    expect([answer.status, answer.body.message]).toEqual([expect.any(Number), undefined]);
    return answer.body;
  };
  let secret = '';
  for (const kind of kinds) ({ secret } = await put(settings, kind));
  const merchant: DecidingMerchant = {
    owner,
    secret,
    requests,
    decide: () => APPROVE,
    receiver,
    set: async (more, kind = kinds[0] as string) => void (await put(more, kind)),
  };
  return merchant;
}

export async function decidingMerchant(
  app: TestApp,
  mode: 'REAL_TIME' | 'BOTH' = 'REAL_TIME',
  settings: Record<string, unknown> = {},
  currency = 'EUR',
): Promise<DecidingMerchant> {
  const owner = await ownProgram(app, {}, currency);
  const merchant = await startDeciding(app, owner, ['authorization'], settings);
  await app.db.query({ text: 'update programs set authorization_mode = $2 where id = $1' }, [
    owner.program.id,
    mode,
  ]);
  return merchant;
}
