import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARDS } from '../support/cards/cards.ts';
import { freshDatabase, sql } from '../support/database/database.ts';
import { ledgerFindings } from '../support/database/money-checks.ts';
import { eventually } from '../support/scripts/eventually.ts';
import {
  addCard,
  type Credentials,
  type Fleet,
  purchase,
  startFleet,
} from '../support/server/server-fleet.ts';

/** Concurrent purchases never spend more than there is: in one process, and across three. */
const ATTEMPTS = 640;
const PAID_FOR = 100;
const PRICE = '2.50';
const ENOUGH = 250;
const PLENTY = 100_000;

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet(3, await freshDatabase());
});
afterAll(() => fleet.close());

/** All at once, over the first `processes` servers; the reasons of the declines, and how many were approved. */
async function spendAtOnce(cards: Credentials[], processes: number, run: string) {
  const replies = await Promise.all(
    Array.from({ length: ATTEMPTS }, (_, n) => {
      const index = n % processes;
      // Servers that spend on the same card wait for each other anyway: each has a card to itself if there are enough.
      const card = cards[(processes === 1 ? n : index) % cards.length] as Credentials;
      return untilDecided(() =>
        fleet.network(index, 'authorizations/', purchase(`${run}-${n}`, card, PRICE)),
      );
    }),
  );
  const outcomes = replies.map(({ status, body }) =>
    status === 200 ? (body.decline_reason ?? 'approved') : status,
  );
  return Object.fromEntries(
    [...new Set(outcomes)].map((word) => [word, outcomes.filter((w) => w === word).length]),
  );
}

/** A 503 says to retry with the same id. */
async function untilDecided(send: () => ReturnType<Fleet['network']>): ReturnType<Fleet['network']> {
  for (;;) {
    const reply = await send();
    if (reply.status !== 503) return reply;
  }
}

async function availableOf(cardId: string): Promise<number> {
  return (await fleet.merchant(0, 'GET', `${CARDS}${cardId}/`)).body.availableCredit;
}

const masterBalance = async (): Promise<bigint> => {
  const [row] = await sql<{ balance: string }>(
    fleet.databaseUrl,
    `select balance_minor as balance from ledger_accounts where id = '00000000-0000-8000-8000-000000000001'`,
  );
  return BigInt(row?.balance ?? 0);
};

const enforceMaster = (on: boolean) =>
  sql(fleet.databaseUrl, 'update programs set enforce_master_balance = $1', [on]);

/** Brings the master account to exactly so much: a refund pays in, a cleared purchase pays out. */
async function setMaster(euros: number, run: string): Promise<void> {
  const { credentials } = await addCard(fleet, { spendLimit: 0 });
  const gap = BigInt(euros) * 100n - (await masterBalance());
  const bill = `${(gap < 0n ? -gap : gap) / 100n}.${String((gap < 0n ? -gap : gap) % 100n).padStart(2, '0')}`;
  const money = {
    amount: bill,
    currency: 'EUR',
    bill_amount: bill,
    bill_currency: 'EUR',
    card_number: credentials.number,
  };
  if (gap > 0n) await fleet.network(0, 'refunds/', { refund_id: `${run}-in`, ...money });
  if (gap < 0n)
    await fleet.network(0, 'clearings/', {
      clearing_id: `${run}-out`,
      external_transaction_id: `${run}-out`,
      ...money,
    });
  expect(await masterBalance()).toBe(BigInt(euros) * 100n);
}

describe.each([1, 3])('%i process(es)', (processes) => {
  test('the credit covers 100: of 640 concurrent purchases exactly 100 are approved', async () => {
    const { id, credentials } = await addCard(fleet, { spendLimit: ENOUGH });
    const outcome = await spendAtOnce([credentials], processes, `credit-${processes}`);
    expect(outcome).toEqual({ approved: PAID_FOR, insufficient_funds: ATTEMPTS - PAID_FOR });
    expect(await availableOf(id)).toBe(0);
  });

  test('the daily limit covers 100', async () => {
    const { id, credentials } = await addCard(fleet, { spendLimit: PLENTY });
    await fleet.merchant(0, 'PUT', `${CARDS}${id}/spend-controls/`, { dailyLimit: ENOUGH });
    const outcome = await spendAtOnce([credentials], processes, `daily-${processes}`);
    expect(outcome).toEqual({ approved: PAID_FOR, daily_limit: ATTEMPTS - PAID_FOR });
    expect(await availableOf(id)).toBe(PLENTY - ENOUGH);
  });

  test('a card for 100 purchases', async () => {
    const { id, credentials } = await addCard(fleet, { spendLimit: PLENTY, usage: { purchases: PAID_FOR } });
    const outcome = await spendAtOnce([credentials], processes, `usage-${processes}`);
    expect(outcome).toEqual({ approved: PAID_FOR, card_used: ATTEMPTS - PAID_FOR });
    expect(await availableOf(id)).toBe(PLENTY - 2.5 * PAID_FOR);
  });

  test.each([1, 2])('the master account covers 100, shared by %i card(s)', async (count) => {
    await setMaster(ENOUGH, `master-${processes}-${count}`);
    const cards = [];
    for (let n = 0; n < count; n++) cards.push((await addCard(fleet, { spendLimit: PLENTY })).credentials);
    await enforceMaster(true);
    try {
      const outcome = await spendAtOnce(cards, processes, `shared-${processes}-${count}`);
      expect(outcome).toEqual({ approved: PAID_FOR, program_balance: ATTEMPTS - PAID_FOR });
      expect(await masterBalance()).toBe(0n);
    } finally {
      await enforceMaster(false);
    }
  });
});

test('afterwards every balance is the sum of its transfers, and all balances sum to zero', async () => {
  expect(await ledgerFindings(fleet.databaseUrl)).toEqual([]);
});

test('a card for one purchase never has two, while purchases are reversed and expire', async () => {
  const { id, credentials } = await addCard(fleet, { spendLimit: PLENTY, usage: { purchases: 1 } });
  let ended = 0;
  let approved: string[] = [];
  for (let rounds = 0; ended < 4; rounds++) {
    const ends = approved.map((purchaseId) =>
      ended++ % 2 === 0
        ? fleet.network(0, 'reversals/', {
            external_transaction_id: purchaseId,
            reversal_id: `${purchaseId}-r`,
          })
        : untilExpired(id),
    );
    const ids = Array.from({ length: 50 }, (_, n) => `once-${rounds}-${n}`);
    const replies = await Promise.all(
      ids.map((purchaseId, n) =>
        untilDecided(() => fleet.network(n % 3, 'authorizations/', purchase(purchaseId, credentials, PRICE))),
      ),
    );
    await Promise.all(ends);
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    approved = ids.filter((_, n) => replies[n]?.body.approved);
    // While the last one still counted, none: then the next round makes one.
    expect(approved.length).toBeLessThanOrEqual(1);
  }
  const events = await sql<{ name: string }>(
    fleet.databaseUrl,
    `select event_name as name from events where card_id = $1 and event_type = 'transaction' order by card_sequence`,
    [id],
  );
  const STEPS: Record<string, number> = {
    authorization: 1,
    'authorization.reversal': -1,
    'authorization.expired': -1,
  };
  let open = 0;
  const peaks = events.map(({ name }) => (open += STEPS[name] ?? 0));
  expect([Math.max(...peaks), Math.min(...peaks)]).toEqual([1, 0]);
  expect(events.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['authorization', 'authorization.reversal', 'authorization.expired']),
  );
  const { body } = await fleet.merchant(0, 'GET', `${CARDS}${id}/spend-controls/`);
  expect(body.usage).toMatchObject({ purchases: 1, used: open });
});

/** The program's clock passes the end of its hold, and the worker of a server releases it. */
async function untilExpired(cardId: string): Promise<void> {
  await fleet.merchant(1, 'POST', '/api/v1/sandbox/clock/', { advance_seconds: 8 * 86_400 });
  const HELD = 'select from transactions where card_id = $1 and held_minor > 0 and created_at < $2';
  const [{ now }] = [(await fleet.merchant(1, 'GET', '/api/v1/sandbox/clock/')).body];
  await eventually(async () =>
    expect(await sql(fleet.databaseUrl, HELD, [cardId, new Date(Date.parse(now) - 7 * 86_400_000)])).toEqual(
      [],
    ),
  );
}
