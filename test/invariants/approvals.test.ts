import { afterAll, expect, test } from 'vitest';
import { verifyApprovals } from '../../src/approvals/verify-approvals.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { updateProgram } from '../../src/programs/update-program.ts';
import { retrieve } from '../support/cards/card-states.ts';
import { createCard } from '../support/cards/cards.ts';
import { PASSWORD, type SignedIn, signInAs } from '../support/console/operators.ts';
import { eventually } from '../support/scripts/eventually.ts';
import { seededRandom } from '../support/scripts/random.ts';
import { testActor } from '../support/server/actor.ts';
import { freePort } from '../support/server/free-port.ts';
import { endAll, startServerProcess } from '../support/server/server-process.ts';
import { appForTests } from '../support/server/test-app.ts';
import { exchange } from '../support/server/wire.ts';

const app = appForTests();
const STEPS = 60;
afterAll(endAll);
const setThreshold = async (minor: bigint | null) =>
  updateProgram(app.db, await testActor(app.db, app.program.id), { secondPersonAboveMinor: minor });
const verify = () => verifyApprovals(app.db, app.program.id);

test.each([1, 2, 3])(
  'after random requests and decisions each approval moved its amount once: seed %i',
  async (seed) => {
    const random = seededRandom(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    const people: SignedIn[] = [];
    for (let each = 0; each < 3; each++) people.push(await signInAs(app, 'admin'));
    const { id: cardId } = await createCard(app, { spendLimit: 500 });
    const balances = async () => [
      (await retrieve(app, cardId)).availableCredit as number,
      (await people[0]?.call('GET', 'merchant/account/'))?.body.available as number,
    ];
    const expected = await balances();
    const asked: Array<{ id: string; account: number; amount: number }> = [];
    const before = (await verify()).approvals;
    let approved = 0;

    const request = async () => {
      const size = 1 + Math.floor(random() * 200);
      const account = pick([0, 1]);
      const amount = pick([size, size, -size]);
      const path =
        account === 0
          ? `merchant/cards/${cardId}/balance-adjustments/`
          : `account/${amount > 0 ? 'deposits' : 'withdrawals'}/`;
      const money = { amount: account === 0 ? amount : size, reference: 'random' };
      const proof = account === 0 ? {} : { password: PASSWORD };
      const { status, body } = await pick(people).call('POST', path, { ...money, ...proof });
      if (status === 201) expected[account] = (expected[account] as number) + amount;
      if (status === 202) asked.push({ id: body.approvalId, account, amount });
    };
    const decide = async () => {
      if (asked.length === 0) return;
      const { id, account, amount } = pick(asked);
      const isApproval = random() < 0.7;
      if (random() < 0.1) await app.sql('update approvals set expires_at = now() where id = $1', [id]);
      const [status] = await app.sql<{ status: string }>('select status from approvals where id = $1', [id]);
      // Two at once, of whom none may be the one who requested it.
      const answers = await Promise.all(
        [pick(people), pick(people)].map((who) =>
          who.call(
            'POST',
            `approvals/${id}/${isApproval ? 'approve' : 'reject'}/`,
            isApproval ? { password: PASSWORD } : {},
          ),
        ),
      );
      if (status?.status === 'PENDING' && answers.some(({ body }) => body.status === 'APPROVED')) {
        expected[account] = (expected[account] as number) + amount;
        approved++;
      }
    };
    for (let step = 0; step < STEPS; step++) {
      if (random() < 0.1) await setThreshold(pick([null, 0n, 50_00n, 150_00n]));
      await (random() < 0.5 ? request() : decide());
    }

    expect(approved).toBeGreaterThan(2);
    expect(await balances()).toEqual(expected);
    expect((await verifyLedger(app.db, app.program.id)).difference).toBeUndefined();
    expect(await verify()).toEqual({ approvals: before + approved, difference: undefined });
  },
);

test('a server that is killed during approvals has made each change whole or not at all', async () => {
  const [first, second] = [await signInAs(app, 'admin'), await signInAs(app, 'admin')];
  const available = async () => (await first.call('GET', 'merchant/account/')).body.available as number;
  const before = await available();
  await setThreshold(0n);
  const ids: string[] = [];
  for (let amount = 1; amount <= 8; amount++) {
    const deposit = { amount, reference: 'killed', password: PASSWORD };
    ids.push((await first.call('POST', 'account/deposits/', deposit)).body.approvalId);
  }
  const server = await startServerProcess(await freePort(), app.env);
  const approved: string[] = [];
  const attempts = ids.map(async (id) => {
    const path = `/console/api/programs/${app.program.id}/approvals/${id}/approve/`;
    const headers = { cookie: second.cookie, 'x-csrf-token': second.csrfToken };
    const body = { password: PASSWORD };
    const answer = await exchange(server.url, 'POST', path, { headers, body }).catch(() => undefined);
    if (answer?.status === 200) approved.push(id);
  });
  await eventually(() => expect(approved.length).toBeGreaterThan(1));
  await server.kill('SIGKILL');
  await Promise.all(attempts);
  const statusOf = async (id: string) =>
    (await app.sql<{ status: string }>('select status from approvals where id = $1', [id]))[0]?.status;
  for (const id of approved) expect(await statusOf(id)).toBe('APPROVED');
  expect((await verify()).difference).toBeUndefined();
  // Whose answer was lost is approved again, which does nothing if it was approved.
  for (const id of ids) {
    const { status } = await second.call('POST', `approvals/${id}/approve/`, { password: PASSWORD });
    expect(status).toBe(200);
  }
  expect(await available()).toBe(before + 36);
  expect((await verify()).difference).toBeUndefined();
});

test.each([
  ['with another amount', 'amount_minor = amount_minor * 2'],
  ['without a movement', 'movement_id = null'],
  ['with a movement that has no transfer', 'movement_id = id'],
  ['of a kind that moves no money', "kind = 'fees'"],
])('an approval %s is found', async (_name, change) => {
  const rows = await app.sql<{ id: string }>(
    "select id from approvals where status = 'APPROVED' and movement_id is not null order by id",
  );
  const { id } = rows[Math.floor(rows.length / 2)] as { id: string };
  const [kept] = await app.sql<{ kind: string; amount: string; movement: string }>(
    'select kind, amount_minor::text as amount, movement_id as movement from approvals where id = $1',
    [id],
  );
  await app.sql(`update approvals set ${change} where id = $1`, [id]);
  expect((await verify()).difference).toMatchObject({ what: 'approved amount', account: id });
  await app.sql('update approvals set kind = $2, amount_minor = $3, movement_id = $4 where id = $1', [
    ...[id, kept?.kind, kept?.amount, kept?.movement],
  ]);
  expect((await verify()).difference).toBeUndefined();
});

test('only an approved change can have a movement, and nobody decides their own', async () => {
  const [row] = await app.sql<{ id: string }>("select id from approvals where status = 'PENDING' limit 1");
  const update = (change: string) => app.sql(`update approvals set ${change} where id = $1`, [row?.id]);
  await expect(update('movement_id = id')).rejects.toThrow('approvals_check');
  await expect(update("status = 'APPROVED', decided_at = now(), decided_by = requested_by")).rejects.toThrow(
    'approvals_check',
  );
});
