import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentialsOf, retrieve } from '../support/cards/card-states.ts';
import { createCard } from '../support/cards/cards.ts';
import { eventually } from '../support/scripts/eventually.ts';
import { purchase } from '../support/server/server-fleet.ts';
import { type Answer, appForTests } from '../support/server/test-app.ts';

/** A message that the database cannot write fails alone: those that were gathered with it are answered. */
const NEIGHBOURS = 12;
const NETWORK = '/api/v1/network/';

const app = appForTests();
let plug: pg.Client;
beforeAll(async () => {
  plug = new pg.Client({ connectionString: app.databaseUrl });
  await plug.connect();
});
afterAll(() => plug.end());

const send = (path: string, body: object): Promise<Answer> =>
  app.call('POST', NETWORK + path, { body, networkKey: app.networkKey, key: null });

async function newCard() {
  const { id } = await createCard(app, { spendLimit: 100 });
  const { cardNumber, cvv, expiryDate } = await credentialsOf(app, id);
  return { id, credentials: { number: cardNumber, cvv, expiry: expiryDate.slice(0, 7) } };
}
type Card = Awaited<ReturnType<typeof newCard>>;

/**
 * Sends messages so that they are gathered into one batch: another session holds the card of the message before
 * them, and releases it when all of them wait for it.
 */
async function gathered(run: string, messages: Array<() => Promise<Answer>>): Promise<Answer[]> {
  const first = await newCard();
  await plug.query('begin');
  await plug.query('select from card_counters where program_id = $1 and card_id = $2 for update', [
    app.program.id,
    first.id,
  ]);
  const ahead = send('authorizations/', purchase(`${run}-ahead`, first.credentials, '1.00'));
  await eventually(async () => {
    const waiting = await app.sql(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(waiting).toHaveLength(1);
  });
  const answers = messages.map((message) => message());
  // Calls that come after them and are answered before: by then the others have reached the engine.
  for (let n = 0; n < 10; n++) await retrieve(app, first.id);
  await plug.query('commit');
  expect((await ahead).status).toBe(200);
  return Promise.all(answers);
}

/** When the messages of a run were committed. Messages of one batch share the moment. */
async function momentsOf(run: string): Promise<number> {
  const [row] = await app.sql<{ moments: number }>(
    'select count(distinct created_at)::int as moments from network_messages where message_id like $1',
    [`${run}-n%`],
  );
  return row?.moments ?? 0;
}

async function neighbours(run: string): Promise<Array<() => Promise<Answer>>> {
  const cards: Card[] = [];
  for (let n = 0; n < NEIGHBOURS; n++) cards.push(await newCard());
  return cards.map(
    ({ credentials }, n) =>
      () =>
        send('authorizations/', purchase(`${run}-n${n}`, credentials, '10.00')),
  );
}

test('messages that wait for the same batch are committed together', async () => {
  const answers = await gathered('sound', await neighbours('sound'));
  expect(answers.map(({ body }) => body.approved)).toEqual(answers.map(() => true));
  expect(await momentsOf('sound')).toBe(1);
});

const refundOf = (id: string, { credentials }: Card) => ({
  refund_id: id,
  card_number: credentials.number,
  amount: '1.00',
  currency: 'EUR',
  bill_amount: '1.00',
  bill_currency: 'EUR',
});

test.each([
  [
    'a balance that can grow no more',
    'update ledger_accounts set balance_minor = 9223372036854775807 where id = $1',
    (card: Card) => send('refunds/', refundOf('poison-refund', card)),
    'poison-refund',
  ],
  [
    'a journal that can be numbered no more',
    'update card_counters set event_sequence = 2147483647 where card_id = $1',
    (card: Card) => send('authorizations/', purchase('poison-purchase', card.credentials, '1.00')),
    'poison-purchase',
  ],
])('%s fails only its own message', async (_, statement, poison, id) => {
  const card = await newCard();
  await app.sql(statement, [card.id]);
  const around = await neighbours(id);
  const half = NEIGHBOURS / 2;
  const answers = await gathered(id, [...around.slice(0, half), () => poison(card), ...around.slice(half)]);
  const [poisoned] = answers.splice(half, 1);
  expect(poisoned?.status).toBe(500);
  expect(answers.map(({ status, body }) => [status, body.approved])).toEqual(answers.map(() => [200, true]));
  // They were in its batch; a common commit would have one time.
  expect(await momentsOf(id)).toBeGreaterThan(1);
  const written = await app.sql(
    `select message_id from network_messages where message_id = $1
     union all select external_transaction_id from transactions where external_transaction_id = $1`,
    [id],
  );
  expect(written).toEqual([]);
  expect((await poison(card)).status).toBe(500);
});
