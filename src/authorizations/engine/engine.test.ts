import pg from 'pg';
import { expect, test } from 'vitest';
import { someRequest } from '../../../test/support/cards/authorization-facts.ts';
import { decidingMerchant } from '../../../test/support/cards/deciding-merchant.ts';
import { networkApp, payingCard } from '../../../test/support/cards/network.ts';
import { addUses, findUsable } from '../../authentications/queries.ts';
import { type DecisionResponse, withoutResponse } from '../../decisions/decision.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import type { AuthorizationMode } from '../../programs/program.ts';
import { createEngine, type Submission, usualDeadline } from './engine.ts';

const app = networkApp();
const authentications = { addUses, findUsable };
const submission = (deadline = usualDeadline()): Submission => ({ source: 'network', deadline });

test.each([true, false])('gathered %s: a message is not decided after its deadline', async (gathered) => {
  const card = await payingCard(app);
  const messageId = `late-${gathered}`;
  const request = someRequest({
    messageId,
    card: { cardId: card.id, numberId: undefined },
    expiry: card.expiry,
  });
  const submit = createEngine(
    { ...app, authentications, requestDecision: async () => withoutResponse('unreachable', 0) },
    { gathered },
  );
  const holder = new pg.Client({ connectionString: app.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from card_counters where program_id = $1 and card_id = $2 for update', [
    app.program.id,
    card.id,
  ]);
  await expect(submit(app.program, request, submission(performance.now() + 200))).rejects.toMatchObject({
    httpStatus: 503,
    message: 'Timed out; retry with the same id',
  });
  // Release the card while the statement that waited for it may still be running.
  await holder.end();
  const running = `select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
  await expect.poll(() => app.sql(running), { timeout: 60_000 }).toEqual([]);
  const written = 'select from network_messages where message_id = $1';
  expect(await app.sql(written, [messageId])).toEqual([]);
  expect(await card.available()).toBe(250);
  expect(await app.submit(app.program, request, submission())).toMatchObject({ approved: true });
  expect(await card.available()).toBe(240);
});

test('a purchase is read after its card is locked: two reversals of it on two servers never release more than it holds', async () => {
  const card = await payingCard(app);
  const externalTransactionId = await card.hold('10.00');
  const waiting = async () =>
    app.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  const master = new pg.Client({ connectionString: app.databaseUrl });
  await master.connect();
  await master.query('begin');
  await master.query('select from ledger_accounts where program_id = $1 and id = $2 for update', [
    app.program.id,
    ACCOUNTS.master,
  ]);
  // The first has locked the card and cannot write yet; the second waits for the card.
  const part = card.reverse(externalTransactionId, { bill_amount: '4.00' });
  await expect.poll(waiting, { interval: 10 }).toHaveLength(1);
  const second = createEngine({
    ...app,
    authentications,
    requestDecision: async () => withoutResponse('unreachable', 0),
  });
  const rest = second(
    app.program,
    {
      kind: 'reversal',
      messageId: 'rest-1',
      reversed: { purchase: { externalTransactionId }, incrementId: undefined },
      part: undefined,
      timedOut: false,
      content: someRequest().content,
    },
    submission(),
  );
  await expect.poll(waiting, { interval: 10 }).toHaveLength(2);
  await master.end();
  expect(await part).toMatchObject({ bill_amount: '4.00', status: 'PENDING' });
  expect(await rest).toMatchObject({ billAmountMinor: 600n, status: 'VOID' });
  expect(await card.available()).toBe(250);
});

test.each<[given: AuthorizationMode, actual: AuthorizationMode, requests: number]>([
  ['STANDARD', 'REAL_TIME', 1],
  ['REAL_TIME', 'STANDARD', 0],
])(
  'a program read in the mode %s that is in %s by now: %s decision requests',
  async (given, actual, requests) => {
    const merchant = await decidingMerchant(app, 'BOTH');
    const { program } = merchant.owner;
    await app.sql('update programs set authorization_mode = $2 where id = $1', [program.id, actual]);
    const card = await payingCard(app, {}, merchant.owner);
    for (const id of ['first', 'second']) {
      const own = { messageId: `stale-${given}-${id}`, card: { cardId: card.id, numberId: undefined } };
      const request = someRequest({ ...own, expiry: card.expiry });
      const response = await app.submit({ ...program, authorizationMode: given }, request, submission());
      expect(response).toMatchObject({ approved: true, declineReason: null });
    }
    expect(merchant.requests).toHaveLength(2 * requests);
    const modes = 'select distinct authorization_mode as mode from transactions where program_id = $1';
    expect(await app.sql(modes, [program.id])).toEqual([{ mode: actual }]);
  },
);

test('each copy of a message keeps its own deadline while the merchant decides', async () => {
  const { owner } = await decidingMerchant(app);
  const card = await payingCard(app, {}, owner);
  const answers: Array<(response: DecisionResponse) => void> = [];
  const requestDecision = () => new Promise<never>((resolve) => void answers.push(resolve as never));
  const submit = createEngine({ ...app, authentications, requestDecision });
  const own = { messageId: 'copies', card: { cardId: card.id, numberId: undefined }, expiry: card.expiry };
  const program = { ...owner.program, authorizationMode: 'REAL_TIME' as const };
  const send = (deadline?: number) => submit(program, someRequest(own), submission(deadline));
  const first = send();
  await expect.poll(() => answers).toHaveLength(1);
  await expect(send(performance.now() + 100)).rejects.toMatchObject({ httpStatus: 503 });
  answers[0]?.(withoutResponse('approved', 100));
  expect(await first).toMatchObject({ approved: true });
  expect(await send()).toEqual(await first);
  expect(answers).toHaveLength(1);
});
