import { expect, test } from 'vitest';
import { someRequest } from '../../../test/support/cards/authorization-facts.ts';
import { withoutResponse } from '../../decisions/decision.ts';
import type { AuthorizationRequest, MerchantDecision } from '../core/message.ts';
import { shareDecisions } from './share-decisions.ts';

const DECISION: MerchantDecision = {
  mode: 'REAL_TIME',
  amountMinor: 1_000n,
  authenticated: false,
  response: withoutResponse('unreachable', 0),
  rule: { onFailure: 'DECLINE', standIn: null },
};

function messageOf(content: string, messageId = 'net-1'): AuthorizationRequest {
  const digest = Buffer.from(content);
  return someRequest({ messageId, content: { digest, matches: (stored) => stored.equals(digest) } });
}

/** Decisions that the test makes, in the order of their requests. */
function requester() {
  const requests: Array<{ resolve: (decision?: MerchantDecision) => void; reject: (error: Error) => void }> =
    [];
  const share = shareDecisions(
    () => new Promise((resolve, reject) => void requests.push({ resolve, reject })),
  );
  const request = (message: AuthorizationRequest, { program = 'p-1', leftMs = 60_000 } = {}) =>
    share(program, message, {
      message,
      cardIds: [],
      transactionIds: [],
      deadline: performance.now() + leftMs,
    });
  return { requests, request };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('copies share one decision until the first one is recorded', async () => {
  const { requests, request } = requester();
  const copies = [1, 2, 3].map(() => request(messageOf('a')));
  requests[0]?.resolve(DECISION);
  const [first, ...others] = await Promise.all(copies);
  expect([first, ...others].map((copy) => copy?.decision)).toEqual([DECISION, DECISION, DECISION]);
  for (const { release } of others) release();
  expect((await request(messageOf('a'))).decision).toBe(DECISION);
  first?.release();
  void request(messageOf('a'));
  expect(requests).toHaveLength(2);
});

test('another program, another kind and another id have decisions of their own', async () => {
  const { requests, request } = requester();
  void request(messageOf('a'));
  void request(messageOf('a'), { program: 'p-2' });
  void request(messageOf('a', 'net-2'));
  void request({ ...messageOf('a'), kind: 'increment' } as never);
  expect(requests).toHaveLength(4);
});

test('another content under the id waits until the first message has ended, and then has a decision of its own', async () => {
  const { requests, request } = requester();
  const first = request(messageOf('a'));
  let other: unknown;
  void request(messageOf('b')).then((shared) => {
    other = shared.decision;
  });
  requests[0]?.resolve(DECISION);
  const { release } = await first;
  await turn();
  expect([requests.length, other]).toEqual([1, undefined]);
  release();
  await turn();
  const own = { ...DECISION, amountMinor: 2_000n };
  requests[1]?.resolve(own);
  await turn();
  expect(other).toBe(own);
});

test('a message that needs no decision, or whose look-up fails, leaves at once', async () => {
  const { requests, request } = requester();
  const unneeded = request(messageOf('a'));
  requests[0]?.resolve(undefined);
  expect((await unneeded).decision).toBeUndefined();
  const failing = request(messageOf('a'));
  requests[1]?.reject(new Error('the database is away'));
  await expect(failing).rejects.toThrow('the database is away');
  void request(messageOf('a'));
  expect(requests).toHaveLength(3);
});

test('a copy does not fail with the first one: it has its own deadline', async () => {
  const { requests, request } = requester();
  const first = request(messageOf('a'));
  const copies = [request(messageOf('a')), request(messageOf('a'))];
  requests[0]?.reject(new Error('timed out'));
  await expect(first).rejects.toThrow('timed out');
  await turn();
  expect(requests).toHaveLength(2);
  requests[1]?.resolve(DECISION);
  expect((await Promise.all(copies)).map(({ decision }) => decision)).toEqual([DECISION, DECISION]);
});

test('a copy past its deadline requests nothing', async () => {
  const { requests, request } = requester();
  await expect(request(messageOf('a'), { leftMs: -1 })).rejects.toMatchObject({ httpStatus: 503 });
  expect(requests).toEqual([]);
});
