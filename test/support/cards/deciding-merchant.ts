import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { TestApp } from '../server/test-app.ts';
import { type Arrived, type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { type Owner, ownProgram } from './network.ts';

export const ENDPOINT = '/api/v1/merchant/decision-endpoints/authorization/';

/** A question as it arrives: the envelope of a webhook. */
export interface Asked {
  eventId: string;
  data: Record<string, unknown>;
}
/** A JSON answer, a bare status, or no answer at all. */
export type Decided = Record<string, unknown> | number | 'hang';
export type Decide = (question: Asked, request: Arrived) => Decided | Promise<Decided>;

export const APPROVE = { decision: 'APPROVE' };

/** A program whose merchant decides, on a real server of its own. */
export interface DecidingMerchant {
  owner: Owner;
  /** Signs the questions. */
  secret: string;
  /** The questions so far, and how the next ones are answered. */
  asked: Asked[];
  decide: Decide;
  receiver: Receiver;
  /** Replaces the endpoint's settings. */
  set(settings: Record<string, unknown>): Promise<void>;
}

export async function decidingMerchant(
  app: TestApp,
  mode: 'REAL_TIME' | 'BOTH' = 'REAL_TIME',
  settings: Record<string, unknown> = {},
): Promise<DecidingMerchant> {
  const owner = await ownProgram(app);
  const asked: Asked[] = [];
  const answer = async (request: Arrived, response: ServerResponse): Promise<void> => {
    const question = JSON.parse(request.body) as Asked;
    asked.push(question);
    const decided = await merchant.decide(question, request);
    if (decided === 'hang') return;
    if (typeof decided === 'number') response.writeHead(decided).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(decided));
  };
  const receiver = await startReceiver((request, response) => void answer(request, response));
  const put = async (body: Record<string, unknown>) => {
    const answer = await app.call('PUT', ENDPOINT, { body: { url: receiver.url, ...body }, key: owner.key });
    expect([answer.status, answer.body.message]).toEqual([expect.any(Number), undefined]);
    return answer.body;
  };
  const { secret } = await put(settings);
  const merchant: DecidingMerchant = {
    owner,
    secret,
    asked,
    decide: () => APPROVE,
    receiver,
    set: async (more) => void (await put(more)),
  };
  await app.db.query({ text: 'update programs set authorization_mode = $2 where id = $1' }, [
    owner.program.id,
    mode,
  ]);
  return merchant;
}
