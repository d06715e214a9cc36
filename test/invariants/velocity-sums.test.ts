import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ruleVelocities } from '../../src/authorizations/engine/fill-velocities.ts';
import { CARDS, consumerCard } from '../support/cards/cards.ts';
import {
  authorizationOf,
  clearingOf,
  incrementOf,
  type NetworkPath,
  ownProgram,
  type PayingCard,
  payingCard,
  reversalOf,
} from '../support/cards/network.ts';
import { freshDatabase, sql } from '../support/database/database.ts';
import { isCitusRun } from '../support/database/on-citus.ts';
import { callsOf } from '../support/rules/rules.ts';
import { type CountedVelocity, sumFindings } from '../support/rules/sum-findings.ts';
import { seededRandom } from '../support/scripts/random.ts';
import { runToEnd } from '../support/server/jobs.ts';
import { appForTests, type TestApp } from '../support/server/test-app.ts';

/** Messages of each lane, lanes of each process, and cards of each of two customers. */
const MESSAGES = 20;
const LANES = 4;
const CARDS_EACH = 3;

const VELOCITIES: CountedVelocity[] = [
  { measure: 'COUNT', per: 'CUSTOMER', window: { minutes: 60 } },
  { measure: 'AMOUNT', per: 'CUSTOMER', window: { calendar: 'DAY' } },
  { measure: 'COUNT', per: 'CARD', window: { minutes: 1_440 } },
  { measure: 'AMOUNT', per: 'CARD_MERCHANT', window: { minutes: 90 } },
  { measure: 'DECLINES', per: 'CUSTOMER', window: { minutes: 30 } },
];

/**
 * Program time goes by the database's `clock_timestamp()`, and finds this function before PostgreSQL's own. It is ahead, because
 * what waits for earlier transactions must not miss one.
 */
const CLOCKS: Record<string, string> = {
  'stands still for a second': "date_trunc('second', pg_catalog.clock_timestamp()) + interval '1 s'",
  'goes to and fro by some milliseconds': "pg_catalog.clock_timestamp() + random() * interval '20 ms'",
};
const PATH =
  "do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$";

const masterKey = randomBytes(32).toString('base64');

// A cluster sends its statements to nodes that do not have the function.
describe.skipIf(isCitusRun())('no sum is lost and none counts twice', () => {
  const app = appForTests(async () => {
    const databaseUrl = await freshDatabase();
    await sql(databaseUrl, PATH);
    return { masterKey, databaseUrl };
  });
  const second = appForTests(() => ({ masterKey, databaseUrl: app.databaseUrl }));

  test.each(Object.entries(CLOCKS))(
    'on two processes, beside changes of cards and rules, while the clock %s',
    async (_, now) => {
      await app.sql(
        `create or replace function public.clock_timestamp() returns timestamptz volatile language sql as $$ select ${now} $$`,
      );
      await stress(app, second);
    },
  );
});

async function stress(app: TestApp, second: TestApp): Promise<void> {
  const seed = Date.now();
  const random = seededRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const owner = await ownProgram(app);
  const calls = callsOf(app, owner);
  const customers = Array.from({ length: CARDS_EACH * 2 }, (_, index) => `customer-${index % 2}`);
  const newCard = (id: string) =>
    payingCard(app, { spendLimit: 10_000, meta: { ...consumerCard().meta, id } }, owner);
  const cards: PayingCard[] = await Promise.all(customers.map(newCard));
  const purchases: Array<[card: PayingCard, id: string, clearings: string[]]> = [];
  const failures: unknown[] = [];
  const byNumber = new Map<number, CountedVelocity>();

  const addRule = async (velocity: CountedVelocity) => {
    const value = velocity.measure === 'AMOUNT' ? '60.00' : 20;
    const { id } = await calls.create({ when: { velocity, op: 'gt', value } });
    const [row] = await app.sql<{ numbers: number[] }>(
      'select velocities as numbers from rules where id = $1',
      [id],
    );
    byNumber.set(row?.numbers[0] as number, velocity);
    await runToEnd(ruleVelocities(app));
    return id as string;
  };

  const send = async (server: TestApp, card: PayingCard, path: NetworkPath, body: object) => {
    const answer = await card.with({ app: server }).send(path, body);
    if (answer.status >= 500) failures.push([path, answer.status, answer.body.message]);
    return answer.body;
  };
  const put = async (server: TestApp, path: string, body: object) => {
    const answer = await server.call('PUT', path, { key: owner.key, body });
    if (answer.status !== 200) failures.push([path, answer.status, answer.body.message]);
  };

  const message = async (server: TestApp) => {
    const card = pick(cards);
    const amount = `${below(9) + 1}.00`;
    const [known, id = '', clearings = []] = purchases.length > 0 ? pick(purchases) : [];
    const kind = pick([
      'buy',
      'buy',
      'buy',
      'decline',
      'increment',
      'reverse',
      'clear',
      'unclear',
      'freeze',
      'usage',
    ]);
    if (kind === 'freeze') {
      for (const freeze of [true, false]) await put(server, `${CARDS}${card.id}/freeze/`, { freeze });
    } else if (kind === 'usage')
      await put(server, `${CARDS}${card.id}/usage/`, { usage: pick([null, { purchases: 100 }]) });
    else if (kind === 'decline')
      await send(server, card, 'authorizations', authorizationOf(card, '99999.00'));
    else if (kind === 'buy' || !known) {
      const body = authorizationOf(card, amount, { channel: pick(['POS', 'MOTO']) });
      const { approved } = await send(server, card, 'authorizations', body);
      if (approved) purchases.push([card, body.external_transaction_id, []]);
    } else if (kind === 'increment') await send(server, known, 'increments', incrementOf(known, id, amount));
    else if (kind === 'reverse')
      await send(server, known, 'reversals', reversalOf(id, pick([{}, { amount: '0.50', currency: 'EUR' }])));
    else if (kind === 'clear') {
      const body = clearingOf(known, id, amount, { final: pick([true, false]) });
      await send(server, known, 'clearings', body);
      clearings.push(body.clearing_id);
    } else if (clearings.length > 0) {
      const { external_transaction_id: _, ...body } = reversalOf('', { clearing_id: pick(clearings) });
      await send(server, known, 'reversals', body);
    }
  };
  const lane = async (server: TestApp) => {
    for (let count = 0; count < MESSAGES; count++) await message(server);
  };
  /** Rules are promoted, demoted and archived, and new velocities count what is there. */
  const changeRules = async () => {
    for (const velocity of VELOCITIES) {
      const id = await addRule(velocity);
      await calls.promote(id);
      await calls.demote(id);
      await calls.promote(id);
    }
    const passing = await addRule({ measure: 'COUNT', per: 'CUSTOMER', window: { minutes: 15 } });
    byNumber.delete(Math.max(...byNumber.keys()));
    await calls.archive(passing);
  };
  const addCards = async () => {
    for (const id of customers) cards.push(await newCard(id));
  };

  const deadlocks = 'select deadlocks::int as count from pg_stat_database where datname = current_database()';
  const lanes = [app, second].flatMap((server) => Array.from({ length: LANES }, () => lane(server)));
  await Promise.all([...lanes, changeRules(), addCards()]);
  expect(failures, `seed ${seed}`).toEqual([]);
  expect(await sumFindings(app, owner, byNumber), `seed ${seed}`).toEqual([]);
  expect(await app.sql(deadlocks)).toEqual([{ count: 0 }]);
}
