import { afterAll, beforeAll, expect, test } from 'vitest';
import { CARDS } from '../support/cards/cards.ts';
import { freshDatabase, sql } from '../support/database/database.ts';
import {
  addCard,
  type Credentials,
  type Fleet,
  purchase,
  type Reply,
  revealCredentials,
  startFleet,
} from '../support/server/server-fleet.ts';

/**
 * Once a freeze, block or reissue is acknowledged, no authorization that starts later is approved, whichever server
 * took the call and whichever takes the authorization. Every trial races with authorizations already under way.
 */
const TRIALS = { freeze: 100, reissue: 25, block: 25 };
const LANES_PER_KIND = 5;
const RACING = 2;

let fleet: Fleet;
let count = 0;
const racing: Array<Promise<Reply>> = [];
/** Authorizations that began after the acknowledgement: their outcomes, by kind of trial. */
const late: Record<keyof typeof TRIALS, string[]> = { freeze: [], reissue: [], block: [] };

const authorize = (index: number, card: Credentials): Promise<Reply> =>
  fleet.network(index, 'authorizations/', purchase(`barrier-${++count}`, card, '1.00'));

/** Makes the call while authorizations are under way; when it is acknowledged, tries one on each server. */
async function tryBarrier(
  kind: keyof typeof TRIALS,
  card: Credentials,
  call: (index: number) => Promise<Reply>,
): Promise<void> {
  const index = count % fleet.size;
  for (let n = 0; n < RACING; n++) racing.push(authorize(n % fleet.size, card));
  const acknowledged = await call(index);
  if (acknowledged.status !== 200) throw new Error(JSON.stringify(acknowledged.body));
  const tries = Array.from({ length: fleet.size }, (_, n) => authorize(n, card));
  for (const { status, body } of await Promise.all(tries))
    late[kind].push(status === 200 ? (body.decline_reason ?? 'approved') : `${status}`);
}

const put = (index: number, cardId: string, path: string, body: object): Promise<Reply> =>
  fleet.merchant(index, 'PUT', `${CARDS}${cardId}/${path}/`, body);

const LANES: Record<keyof typeof TRIALS, (trials: number) => Promise<void>> = {
  freeze: async (trials) => {
    const { id, credentials } = await addCard(fleet, { spendLimit: 100_000 });
    for (let n = 0; n < trials; n++) {
      await tryBarrier('freeze', credentials, (index) => put(index, id, 'freeze', { freeze: true }));
      await put(n % fleet.size, id, 'freeze', { freeze: false });
    }
  },
  reissue: async (trials) => {
    let { id, credentials } = await addCard(fleet, { spendLimit: 100_000 });
    for (let n = 0; n < trials; n++) {
      const renewOption = 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE';
      await tryBarrier('reissue', credentials, (index) => put(index, id, 'replace', { renewOption }));
      credentials = await revealCredentials(fleet, n % fleet.size, id);
    }
  },
  block: async (trials) => {
    for (let n = 0; n < trials; n++) {
      const { id, credentials } = await addCard(fleet, { spendLimit: 100 });
      await tryBarrier('block', credentials, (index) => put(index, id, 'block', { reason: 'lost' }));
    }
  },
};

beforeAll(async () => {
  fleet = await startFleet(2, await freshDatabase());
  const kinds = Object.keys(TRIALS) as Array<keyof typeof TRIALS>;
  const lanes = kinds.flatMap((kind) =>
    Array.from({ length: LANES_PER_KIND }, () => LANES[kind](TRIALS[kind] / LANES_PER_KIND)),
  );
  await Promise.all(lanes);
}, 120_000);
afterAll(() => fleet.close());

test.each([
  ['freeze', 'card_frozen'],
  ['reissue', 'invalid_card_number'],
  ['block', 'card_blocked'],
] as const)('after a %s every later authorization is declined: %s', (kind, reason) => {
  expect(late[kind]).toHaveLength(TRIALS[kind] * fleet.size);
  expect(late[kind].filter((outcome) => outcome !== reason)).toEqual([]);
});

test('the trials ran under load: authorizations were concurrent, and many were approved', async () => {
  const replies = await Promise.all(racing);
  expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
  const approved = replies.filter(({ body }) => body.approved).length;
  expect(approved).toBeGreaterThan(30);
  expect(replies.length - approved).toBeGreaterThan(30);
});

test('the events show the same: nothing was approved between a freeze or block and its end', async () => {
  const wrong = await sql(
    fleet.databaseUrl,
    `select card_id, card_sequence from (
       select *, max(case when event_name in ('card.frozen', 'card.blocked') then card_sequence end) over before as closed,
              max(case when event_name = 'card.unfrozen' then card_sequence end) over before as opened
       from events window before as (partition by program_id, card_id order by card_sequence)) e
     where event_name = 'authorization' and closed > coalesce(opened, 0)`,
  );
  expect(wrong).toEqual([]);
});
