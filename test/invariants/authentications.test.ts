import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endExpired } from '../../src/authentications/end-expired.ts';
import { lockCard } from '../../src/cards/queries.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import {
  type Authenticating,
  authenticationOf,
  callNetwork,
  startAuthenticating,
  wrongFor,
} from '../support/authentications/authentications.ts';
import { CARDS } from '../support/cards/cards.ts';
import { networkApp, type PayingCard, payingCard } from '../support/cards/network.ts';
import { sql } from '../support/database/database.ts';

const app = networkApp();
let started: Authenticating;
beforeAll(async () => {
  started = await startAuthenticating(app);
});
afterAll(() => started.merchant.receiver.close());

const OPS = [
  ...['create', 'right', 'wrong', 'resend', 'cancel', 'expire', 'work', 'approve', 'refuse'],
] as const;
type Op = (typeof OPS)[number];
interface Step {
  op: Op;
  /** Which authentication: the last one is out of band. */
  which: number;
}
const COUNT = 3;

/** The model: what an authentication is, after operations in some order. */
interface State {
  made: boolean;
  end: string | null;
  wrong: number;
  sends: number;
  /** The number of the send whose code is valid. */
  code: number;
  /** Codes that concurrent resends replace: right until the endpoint has answered. */
  replaced: number[];
  expired: boolean;
}
const NEW: State = { made: false, end: null, wrong: 0, sends: 0, code: 0, replaced: [], expired: false };
const endOf = ({ end, expired }: State): string | null => end ?? (expired ? 'expired' : null);

/** The state afterwards, and the response: its status, or the result that it shows. */
function apply(
  state: State,
  { op, which }: Step,
  given: number,
  answer: string | number | null | undefined,
): [State, string | number | null] {
  const isForwarded = which === COUNT - 1;
  const ended = endOf(state);
  const finish = (end: string): [State, string] => [{ ...state, end }, end];
  if (op === 'create') {
    if (state.made) return [state, ended];
    const sends = isForwarded ? 0 : 1;
    return [{ ...state, made: true, sends, code: sends }, null];
  }
  if (op === 'work') return [{ ...state, end: ended }, null];
  if (!state.made) return [state, op === 'expire' ? null : 404];
  if (op === 'expire') return [{ ...state, expired: true }, null];
  if (op === 'approve' || op === 'refuse') {
    if (ended !== null || !isForwarded) return [state, 409];
    return finish(op === 'approve' ? 'authenticated' : 'not_approved');
  }
  if (ended !== null) return [{ ...state, end: ended }, ended];
  if (op === 'cancel') return finish('cancelled');
  if (isForwarded) return [state, 409];
  if (op === 'resend')
    return state.sends === 3
      ? [state, 409]
      : [
          {
            ...state,
            sends: state.sends + 1,
            code: state.sends + 1,
            replaced: [...state.replaced, state.code],
          },
          null,
        ];
  const isTaken = state.replaced.includes(given) && answer === 'authenticated';
  if (op === 'right' && (given === state.code || isTaken)) return finish('authenticated');
  const wrong = state.wrong + 1;
  return wrong === 3 ? [{ ...state, wrong, end: 'otp_wrong' }, 'otp_wrong'] : [{ ...state, wrong }, null];
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) =>
    permutations([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
  );
}

interface Run {
  cards: string[];
  requests: Array<ReturnType<typeof authenticationOf>>;
  states: State[];
  ids: Map<string, string>;
}

const codeOf = ({ ids }: Run, authenticationId: string, send: number): string | undefined => {
  const eventId = derivedId(started.owner.program.id, 'otp', ids.get(authenticationId) ?? '', String(send));
  return started.merchant.asked.find((question) => question.eventId === eventId)?.data['otp'] as string;
};

/** Sends one operation; the response in the words of the model. */
async function perform(run: Run, { op, which }: Step): Promise<string | number | null> {
  const { owner } = started;
  const request = run.requests[which] as Run['requests'][number];
  const { authentication_id: id } = request;
  const right = codeOf(run, id, run.states[which]?.code ?? 0);
  const resultOf = ({ status, body }: Awaited<ReturnType<typeof callNetwork>>) => {
    if (status !== 200) return status;
    return body.status === 'CHALLENGE' ? null : (body.reason ?? 'authenticated');
  };
  const post = async (path: string, body?: object) =>
    resultOf(await callNetwork(app, owner, 'POST', `authentications/${path}`, body));
  const own = run.ids.get(id);
  switch (op) {
    case 'create':
      return post('', request);
    case 'right':
      return post(`${id}/attempts/`, { otp: right ?? '123456' });
    case 'wrong':
      return post(`${id}/attempts/`, { otp: wrongFor(right) });
    case 'resend':
    case 'cancel':
      return post(`${id}/${op}/`);
    case 'expire':
      // As the product writes: under the lock of the card.
      await app.db.transaction(async (tx) => {
        await lockCard(tx, owner.program.id, run.cards[which] as string);
        await tx.query(
          { text: 'update authentications set expires_at = now() where authentication_id = $1' },
          [id],
        );
      });
      return null;
    case 'work':
      await endExpired(app, owner.program.id);
      return null;
    case 'approve':
    case 'refuse': {
      const path = `/api/v1/merchant/authentications/${own ?? owner.program.id}/answer/`;
      return resultOf(await app.call('POST', path, { body: { approve: op === 'approve' }, key: owner.key }));
    }
  }
}

interface Row {
  id: string;
  authenticationId: string;
  end: string | null;
  expired: boolean;
  wrong: number;
  sends: number;
  secrets: number;
  events: string[];
}
const readRows = (run: Run) =>
  sql<Row>(
    app.databaseUrl,
    `select a.id, a.authentication_id as "authenticationId",
            case when status = 'CHALLENGE' then null else coalesce(reason, 'authenticated') end as "end",
            expires_at <= now() as expired, wrong_attempts as wrong, sends,
            cardinality(otp_digests) + num_nonnulls(sandbox_otp) as secrets,
            array(select coalesce(e.data->>'reason', 'authenticated') from events e
                  where e.program_id = a.program_id and e.event_name = 'authentication.completed'
                    and e.data->>'id' = a.id::text) as events
     from authentications a where a.authentication_id = any ($1)`,
    [run.requests.map(({ authentication_id }) => authentication_id)],
  );

/** Some order of the operations explains the responses and the state: nothing else can have happened. */
async function runBatch(run: Run, batch: readonly Step[]): Promise<void> {
  const before: State[] = run.states.map((state) => ({ ...state, replaced: [] }));
  const given = before.map(({ code }) => code);
  const answers = await Promise.all(batch.map((step) => perform(run, step)));
  const rows = await readRows(run);
  for (const { id, authenticationId } of rows) run.ids.set(authenticationId, id);
  const shown = run.requests.map(({ authentication_id }) => {
    const row = rows.find((each) => each.authenticationId === authentication_id);
    return row ? [endOf(row as never), row.wrong, row.sends] : null;
  });
  const places = batch.map((_, place) => place);
  const explained = permutations(places).find((order) => {
    let states = before;
    const expected: Array<string | number | null> = [];
    for (const place of order) {
      const step = batch[place] as Step;
      // The worker looks at all of them.
      const targets = step.op === 'work' ? states.map((_, which) => which) : [step.which];
      for (const which of targets) {
        const [state, answer] = apply(
          states[which] as State,
          { ...step, which },
          given[which] as number,
          answers[place],
        );
        states = states.map((other, at) => (at === which ? state : other));
        expected[place] = step.op === 'work' ? null : answer;
      }
    }
    // A resend responds after it has sent: by then the state may be a later one.
    const agrees = answers.every(
      (answer, place) =>
        answer === expected[place] || (batch[place]?.op === 'resend' && typeof answer !== 'number'),
    );
    const reached = states.map((state) => (state.made ? [endOf(state), state.wrong, state.sends] : null));
    if (!agrees || JSON.stringify(reached) !== JSON.stringify(shown)) return false;
    run.states = states;
    return true;
  });
  expect(explained, `no order explains ${JSON.stringify({ before, batch, answers, shown })}`).toBeDefined();
  for (const { end, secrets, events } of rows) {
    expect(events).toEqual(end === null ? [] : [end]);
    if (end !== null) expect(secrets).toBe(0);
  }
}

test('an authentication has one result with one event, whatever is repeated and at the same time', async () => {
  const step = fc.record({
    op: fc.oneof(
      { arbitrary: fc.constantFrom(...OPS), weight: 3 },
      { arbitrary: fc.constant<Op>('right'), weight: 1 },
    ),
    which: fc.nat(COUNT - 1),
  });
  const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 9 });
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(batches, async (plan) => {
      const { owner } = started;
      const plain = await payingCard(app, {}, owner);
      const forwarded = await payingCard(app, {}, owner);
      await app.call('PUT', `${CARDS}${forwarded.id}/3ds-forwarding/`, {
        body: { enabled: true },
        key: owner.key,
      });
      const cards: PayingCard[] = [plain, plain, forwarded];
      const run: Run = {
        cards: cards.map(({ id }) => id),
        requests: cards.map((card) => authenticationOf(card)),
        states: cards.map(() => NEW),
        ids: new Map(),
      };
      await runBatch(
        run,
        cards.map((_, which) => ({ op: 'create', which })),
      );
      for (const batch of plan) await runBatch(run, batch);
      for (const state of run.states) seen.add(String(endOf(state)));
    }),
    { numRuns: 20 },
  );
  for (const end of ['authenticated', 'cancelled', 'expired']) expect(seen).toContain(end);
}, 60_000);
