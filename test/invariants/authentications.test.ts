import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endExpired } from '../../src/authentications/end-expired.ts';
import { lockCard } from '../../src/cards/queries.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import {
  type Authenticating,
  authenticationOf,
  startAuthenticating,
  wrongFor,
} from '../support/authentications/authentications.ts';
import { CARDS } from '../support/cards/cards.ts';
import {
  authorizationOf,
  networkApp,
  type PayingCard,
  payingCard,
  setTerms,
} from '../support/cards/network.ts';
import { freePort } from '../support/server/free-port.ts';
import {
  endAll,
  newDataDir,
  type ServerProcess,
  startServerProcess,
} from '../support/server/server-process.ts';

const masterKey = randomBytes(32).toString('base64');
const app = networkApp({ masterKey });
let started: Authenticating;
/** A second server on the same database, which is killed. */
let victim: ServerProcess;
const startVictim = async (): Promise<void> => {
  const env = { DATABASE_URL: app.databaseUrl, EMBOSS_MASTER_KEY: masterKey, DATA_DIR: newDataDir() };
  victim = await startServerProcess(await freePort(), env);
};
beforeAll(async () => {
  started = await startAuthenticating(app);
  await setTerms(app, started.owner, { require_authentication_above_minor: 0 });
  await startVictim();
}, 60_000);
afterAll(async () => {
  await started.merchant.receiver.close();
  await endAll();
});

const AMOUNT = '12.50';
const OPS = [
  ...(['create', 'right', 'wrong', 'resend', 'cancel', 'expire', 'work', 'approve', 'refuse'] as const),
  ...(['pay', 'overpay'] as const),
];
type Op = (typeof OPS)[number];
interface Step {
  op: Op;
  /** Which authentication: the last one is out of band. */
  which: number;
  /** Sent to the server that is killed. */
  onVictim: boolean;
}
const COUNT = 3;
/** The connection broke before the response. */
const LOST = 'lost';

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
  /** A purchase was approved with it. */
  used: boolean;
}
const NEW: State = {
  made: false,
  end: null,
  wrong: 0,
  sends: 0,
  code: 0,
  replaced: [],
  expired: false,
  used: false,
};
const endOf = ({ end, expired }: State): string | null => end ?? (expired ? 'expired' : null);

/** The state afterwards, and the response: its status, or the result that it shows. */
function apply(
  state: State,
  { op, which }: Pick<Step, 'op' | 'which'>,
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
  if (op === 'pay' || op === 'overpay') {
    const counts = op === 'pay' && state.end === 'authenticated' && !state.used;
    return counts ? [{ ...state, used: true }, 'approved'] : [state, 'authentication_required'];
  }
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

function subsets<Item>([first, ...others]: readonly Item[]): Item[][] {
  if (first === undefined) return [[]];
  return subsets(others).flatMap((set) => [set, [first, ...set]]);
}

interface Run {
  cards: PayingCard[];
  requests: Array<ReturnType<typeof authenticationOf>>;
  states: State[];
  ids: Map<string, string>;
}

const codeOf = ({ ids }: Run, authenticationId: string, send: number): string | undefined => {
  const eventId = derivedId(started.owner.program.id, 'otp', ids.get(authenticationId) ?? '', String(send));
  return started.merchant.requests.find((question) => question.eventId === eventId)?.data['otp'] as string;
};

/** A request to either server. */
async function call(onVictim: boolean, method: string, path: string, body?: object) {
  const { key, networkKey } = started.owner;
  const keys = path.startsWith('/api/v1/network') ? { key: null, networkKey } : { key };
  if (!onVictim) return app.call(method, path, { ...(body && { body }), ...keys });
  const headers = {
    ...('networkKey' in keys ? { 'x-network-key': networkKey } : { 'x-payments-api-key': key }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const given = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  try {
    const response = await fetch(victim.url + path, given);
    // biome-ignore lint/suspicious/noExplicitAny: a test reads answers freely
    return { status: response.status, body: (await response.json()) as any };
  } catch {
    return { status: LOST, body: undefined };
  }
}

/** Sends one operation; the response in the words of the model. */
async function perform(run: Run, { op, which, onVictim }: Step): Promise<string | number | null> {
  const { owner } = started;
  const request = run.requests[which] as Run['requests'][number];
  const card = run.cards[which] as PayingCard;
  const { authentication_id: id } = request;
  const right = codeOf(run, id, run.states[which]?.code ?? 0);
  const post = async (path: string, body?: object) => {
    const answer = await call(onVictim, 'POST', `/api/v1/${path}`, body);
    if (answer.status !== 200) return answer.status;
    return answer.body.status === 'CHALLENGE' ? null : (answer.body.reason ?? 'authenticated');
  };
  const network = (path: string, body?: object) => post(`network/authentications/${path}`, body);
  switch (op) {
    case 'create':
      return network('', request);
    case 'right':
      return network(`${id}/attempts/`, { otp: right ?? '123456' });
    case 'wrong':
      return network(`${id}/attempts/`, { otp: wrongFor(right) });
    case 'resend':
    case 'cancel':
      return network(`${id}/${op}/`);
    case 'expire':
      // As the product writes: under the lock of the card.
      await app.db.transaction(async (tx) => {
        await lockCard(tx, owner.program.id, card.id);
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
    case 'refuse':
      return post(`merchant/authentications/${run.ids.get(id) ?? owner.program.id}/answer/`, {
        approve: op === 'approve',
      });
    case 'pay':
    case 'overpay': {
      const proof = { channel: 'ECOMMERCE', authentication: { authentication_id: id } };
      const message = authorizationOf(card, op === 'pay' ? AMOUNT : '12.51', proof);
      const { status, body } = await call(onVictim, 'POST', '/api/v1/network/authorizations/', message);
      return status === 200 ? (body.decline_reason ?? 'approved') : status;
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
  used: boolean;
  events: string[];
}
const readRows = (run: Run) =>
  app.sql<Row>(
    `select a.id, a.authentication_id as "authenticationId",
            case when status = 'CHALLENGE' then null else coalesce(reason, 'authenticated') end as "end",
            expires_at <= now() as expired, wrong_attempts as wrong, sends,
            cardinality(otp_digests) + num_nonnulls(sandbox_otp) as secrets, cardinality(used_by) > 0 as used,
            array(select coalesce(e.data->>'reason', 'authenticated') from events e
                  where e.program_id = a.program_id and e.event_name = 'authentication.completed'
                    and e.data->>'id' = a.id::text) as events
     from authentications a where a.authentication_id = any ($1)`,
    [run.requests.map(({ authentication_id }) => authentication_id)],
  );

const shownOf = (state: Pick<State, 'end' | 'expired' | 'wrong' | 'sends' | 'used'>) => [
  endOf(state as State),
  state.wrong,
  state.sends,
  state.used,
];

/**
 * Sends the operations at the same time, and kills a server meanwhile if `killMs` is given. Some order of the operations
 * explains the responses and the state: nothing else can have happened. An operation without a response has happened or
 * not.
 */
async function runBatch(run: Run, batch: readonly Step[], killMs: number | null = null): Promise<void> {
  const before: State[] = run.states.map((state) => ({ ...state, replaced: [] }));
  const given = before.map(({ code }, which) =>
    codeOf(run, run.requests[which]?.authentication_id ?? '', code) === undefined ? -1 : code,
  );
  const performed = Promise.all(batch.map((step) => perform(run, step)));
  if (killMs !== null) {
    await pause(killMs);
    await victim.kill('SIGKILL');
    // What it had sent to the database is done by the time another is ready.
    await startVictim();
  }
  const answers = await performed;
  const rows = await readRows(run);
  for (const { id, authenticationId } of rows) run.ids.set(authenticationId, id);
  const shown = run.requests.map(({ authentication_id }) => {
    const row = rows.find((each) => each.authenticationId === authentication_id);
    return row ? shownOf(row) : null;
  });
  const orders = permutations(batch.map((_, index) => index)).flatMap((order) =>
    subsets(order.filter((index) => answers[index] === LOST)).map((undone) =>
      order.filter((index) => !undone.includes(index)),
    ),
  );
  const explained = orders.find((order) => {
    let states = before;
    const expected: Array<string | number | null> = [];
    for (const index of order) {
      const step = batch[index] as Step;
      // The worker looks at all of them.
      const targets = step.op === 'work' ? states.map((_, which) => which) : [step.which];
      for (const which of targets) {
        const [state, answer] = apply(
          states[which] as State,
          { ...step, which },
          given[which] as number,
          answers[index],
        );
        states = states.map((other, at) => (at === which ? state : other));
        expected[index] = step.op === 'work' ? null : answer;
      }
    }
    // A resend responds after it has sent: by then the state may be a later one.
    const agrees = answers.every(
      (answer, index) =>
        answer === LOST ||
        answer === expected[index] ||
        (batch[index]?.op === 'resend' && typeof answer !== 'number'),
    );
    const reached = states.map((state) => (state.made ? shownOf(state) : null));
    if (!agrees || JSON.stringify(reached) !== JSON.stringify(shown)) return false;
    run.states = states;
    return true;
  });
  expect(explained, `no order explains ${JSON.stringify({ before, batch, answers, shown })}`).toBeDefined();
  for (const { end, secrets, events } of rows) {
    expect(events).toEqual(end === null ? [] : [end]);
    if (end !== null) expect(secrets).toBe(0);
  }
  for (const answer of answers) lost += answer === LOST ? 1 : 0;
}

let lost = 0;

test('an authentication has one result with one event and counts once, whatever is repeated, at the same time and killed', async () => {
  const step = fc.record({
    op: fc.oneof(
      { arbitrary: fc.constantFrom(...OPS), weight: 3 },
      { arbitrary: fc.constantFrom<Op>('right', 'pay'), weight: 2 },
    ),
    which: fc.nat(COUNT - 1),
    onVictim: fc.boolean(),
  });
  const batch = fc.array(step, { minLength: 1, maxLength: 4 });
  const plans = fc.record({
    batches: fc.array(batch, { minLength: 4, maxLength: 9 }),
    killAt: fc.option(fc.nat(3), { freq: 2 }),
    killMs: fc.integer({ min: 1, max: 8 }),
  });
  const seen = new Set<string>();
  const missing = () => ['authenticated', 'used', 'cancelled', 'expired'].filter((end) => !seen.has(end));
  const history = fc.asyncProperty(plans, async ({ batches, killAt, killMs }) => {
    const { owner } = started;
    const plain = await payingCard(app, {}, owner);
    const forwarded = await payingCard(app, {}, owner);
    await app.call('PUT', `${CARDS}${forwarded.id}/3ds-forwarding/`, {
      body: { enabled: true },
      key: owner.key,
    });
    const cards: PayingCard[] = [plain, plain, forwarded];
    const run: Run = {
      cards,
      requests: cards.map((card) => authenticationOf(card, { amount: AMOUNT })),
      states: cards.map(() => NEW),
      ids: new Map(),
    };
    await runBatch(
      run,
      cards.map((_, which) => ({ op: 'create', which, onVictim: which === 0 })),
    );
    for (const [at, batch] of batches.entries()) {
      const isKilled = at === killAt;
      // All of them meet the server that is killed.
      const steps = isKilled ? batch.map((each) => ({ ...each, onVictim: true })) : batch;
      await runBatch(run, steps, isKilled ? killMs : null);
    }
    for (const state of run.states) seen.add(state.used ? 'used' : String(endOf(state)));
  });
  await fc.assert(history, { numRuns: 5 });
  // A few histories rarely reach everything that they must.
  for (let more = 0; more < 20 && (missing().length > 0 || lost === 0); more++)
    await fc.assert(history, { numRuns: 1 });
  expect(missing()).toEqual([]);
  expect(lost).toBeGreaterThan(0);
}, 120_000);
