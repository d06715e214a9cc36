import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { fundProgram } from '../../../src/programs/fund-program.ts';
import type { Program } from '../../../src/programs/program.ts';
import {
  APPROVE,
  type DecidingMerchant,
  decidingMerchant,
  ENDPOINT,
} from '../../support/cards/deciding-merchant.ts';
import { networkApp, ownProgram, payingCard } from '../../support/cards/network.ts';
import { consoleForTests } from '../../support/console/console.ts';
import { type SignedIn, signInAs } from '../../support/console/operators.ts';
import { testActor } from '../../support/server/actor.ts';

const app = networkApp();
const desk = consoleForTests(app);
let admin: SignedIn;
beforeAll(async () => {
  admin = await signInAs(app, 'admin');
});

describe('the authorization mode', () => {
  test('needs an endpoint, is changed by an administrator and audited', async () => {
    const { program, key } = await ownProgram(app);
    const set = async (authorizationMode: string, more: object = {}) => {
      const wanted = { authorizationMode, ...more };
      const { status, body } = await admin.call('PUT', 'decisions/mode/', wanted, program.id);
      return [status, body.authorizationMode ?? body.message];
    };
    const seen = async () => (await desk.get('decisions/', key)).body;
    const none = { authorization: null, authentication: null, otp: null };
    expect(await seen()).toEqual({ authorizationMode: 'STANDARD', endpoints: none });
    expect(await set('BOTH')).toEqual([409, expect.stringMatching(/^The authorization mode BOTH needs/)]);
    expect(await set('NONE')).toEqual([400, expect.stringMatching(/^authorizationMode: must be one of/)]);

    const endpoint = { url: 'http://127.0.0.1:9/', onFailure: 'STANDARD' };
    const { body: created } = await app.call('PUT', ENDPOINT, { body: endpoint, key });
    const untested = /^The endpoint did not pass a test request: connection refused; repair it/;
    expect(await set('BOTH')).toEqual([409, expect.stringMatching(untested)]);
    expect(await set('BOTH', { untested: true })).toEqual([200, 'BOTH']);
    const { secret, ...shown } = created;
    expect(secret).toMatch(/^whsec_/);
    const otp = ENDPOINT.replace('authorization', 'otp');
    const { body } = await app.call('PUT', otp, { body: { url: endpoint.url }, key });
    const { secret: _, ...shownOtp } = body;
    expect(await seen()).toEqual({
      authorizationMode: 'BOTH',
      endpoints: {
        authorization: { ...shown, lastFailure: null },
        authentication: null,
        otp: { ...shownOtp, lastFailure: null },
      },
    });
    const [entry] = await app.sql(
      `select actor, before, after from audit_entries where program_id = $1 and action = 'program.updated'`,
      [program.id],
    );
    expect(entry).toEqual({
      actor: expect.stringMatching(/^operator:Test admin/),
      before: { authorizationMode: 'STANDARD' },
      after: { authorizationMode: 'BOTH' },
    });
  });
});

describe('the program', () => {
  test('shows its terms and pages through its funding, newest first', async () => {
    const terms = {
      ...{ fx_fee_bps: 250, atm_fee_minor: 300, challenge_above_minor: 3_000 },
      ...{ cash_interchange_bps: -30, over_hold_percent: 35, allowed_exemptions: ['RISK_ANALYSIS'] },
    };
    const { program, key } = await ownProgram(app, terms);
    const { body: shown } = await desk.get('terms/', key);
    expect(shown).toMatchObject({
      currency: 'EUR',
      challengeAbove: '30.00',
      requireAuthenticationAbove: null,
      secondPersonAbove: null,
      overHoldPercent: 35,
      rulesGuardPercent: 5,
      allowedExemptions: ['RISK_ANALYSIS'],
      fees: {
        fxFeeBps: 250,
        interchangeBps: 0,
        cashInterchangeBps: -30,
        atmFee: '3.00',
        maintenanceFee: '0.00',
      },
    });
    const actor = await testActor(app.db, program.id);
    const { body: first } = await desk.get('funding/', key);
    for (let funding = 1; funding <= 51; funding += 1)
      await app.db.transaction((tx) =>
        fundProgram(tx, actor, { amountMinor: BigInt(funding), reference: `Transfer ${funding}` }),
      );
    const { body: newest } = await desk.get('funding/', key);
    expect(newest.results.length).toBe(50);
    expect(newest.results[0]).toMatchObject({ amount: '0.51', reference: 'Transfer 51' });
    const { body: older } = await desk.get(`funding/?before=${newest.next}`, key);
    expect(older.results.map(({ amount }: { amount: string }) => amount)).toEqual([
      '0.01',
      ...first.results.map(({ amount }: { amount: string }) => amount),
    ]);
    expect(older.next).toBeNull();
    const { status, body } = await desk.get('funding/?before=x', key);
    expect([status, body.message]).toEqual([400, 'before: must be a record id from `next`']);
  });
});

describe('the response times', () => {
  const busy = async ({ key }: { key: string }) => {
    const { status, body } = await desk.get('decisions/times/', key);
    expect([status, body.message]).toEqual([200, undefined]);
    expect(body.slices).toHaveLength(24);
    return body.slices.filter((slice: Record<string, number>) =>
      ['answered', 'timeouts', 'failures'].some((name) => slice[name]),
    );
  };
  const HOUR_MS = 3_600_000;
  const presentMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const hour = (ago: number) => presentMs - ago * HOUR_MS;
  const startOf = (ms: number) => new Date(ms).toISOString().replace('.000Z', '+0000');

  /** Events past the engine, a second apart. */
  async function fill({ id: programId }: Program, fromMs: number, decisions: unknown[]): Promise<void> {
    const rows = decisions.map((decision, index) => ({
      id: newId(fromMs + index * 1_000),
      data: decision === null ? {} : { decision },
      at: new Date(fromMs + index * 1_000),
    }));
    await app.sql(
      `insert into events (program_id, id, event_type, event_name, data, created_at)
       select $1, id, 'transaction', 'authorization', data, at
       from jsonb_to_recordset($2::jsonb) as row (id uuid, data jsonb, at timestamptz)`,
      [programId, JSON.stringify(rows)],
    );
  }
  const by = (source: string, outcome: string, ms: number | null) => ({ source, outcome, duration_ms: ms });

  test('are those of the merchant, by the hour of the last day', async () => {
    const owner = await ownProgram(app);
    await fill(owner.program, hour(25), [by('merchant', 'approved', 900)]);
    await fill(owner.program, hour(3), [
      by('merchant', 'declined', 30),
      by('merchant', 'approved', 10),
      by('merchant', 'approved', 20),
      by('stand_in', 'timeout', 2_000),
      by('stand_in', 'unreachable', 0),
      by('stand_in', 'invalid', 25),
      by('stand_in', 'paused', 0),
      by('emboss', 'declined', null),
      by('network', 'approved', null),
      null,
    ]);
    await fill(owner.program, hour(1), [by('stand_in', 'unreachable', 0), by('emboss', 'approved', null)]);
    expect(await busy(owner)).toEqual([
      {
        start: startOf(hour(3)),
        answered: 3,
        timeouts: 1,
        failures: 2,
        p50Ms: 25,
        p99Ms: 2_000,
        sampled: false,
      },
      {
        start: startOf(hour(1)),
        answered: 0,
        timeouts: 0,
        failures: 1,
        p50Ms: null,
        p99Ms: null,
        sampled: false,
      },
    ]);
  });

  test('of a busy hour are those of a sample that covers all of it', async () => {
    const owner = await ownProgram(app);
    for (const part of [0, 5])
      await fill(
        owner.program,
        hour(2) + part * 600_000,
        Array.from({ length: 250 }, () => by('merchant', 'approved', 10 + part)),
      );
    const [slice] = await busy(owner);
    expect(slice).toMatchObject({ answered: 200, p50Ms: 10, p99Ms: 15, sampled: true });
  });
});

describe('a transaction', () => {
  let merchant: DecidingMerchant;
  beforeAll(async () => {
    merchant = await decidingMerchant(app);
  });
  afterAll(() => merchant?.receiver.close());

  test('shows who decided it, and its mode', async () => {
    const card = await payingCard(app, {}, merchant.owner);
    merchant.decide = () => ({ decision: 'DECLINE', reason: 'insufficient_funds', reference: 'w-1' });
    const declined = await card.authorize('10.00');
    merchant.decide = () => ({ ...APPROVE, metadata: { wallet: 'main' } });
    const approved = await card.authorize('10.00');
    const lifeOf = async (id: string) => (await desk.get(`transactions/${id}/`, merchant.owner.key)).body;
    const common = { source: 'merchant', duration_ms: expect.any(Number), reason: null, reference: null };
    expect(await lifeOf(declined.transaction_id)).toMatchObject({
      authorizationMode: 'REAL_TIME',
      transaction: { decline: { reason: 'program_insufficient_funds', meaning: expect.any(String) } },
      events: [
        {
          name: 'authorization.declined',
          decline: { reason: 'program_insufficient_funds', networkCode: '51', remedy: expect.any(String) },
          decision: { ...common, outcome: 'declined', reason: 'insufficient_funds', reference: 'w-1' },
        },
      ],
    });
    expect(await lifeOf(approved.transaction_id)).toMatchObject({
      events: [{ decline: null, decision: { ...common, outcome: 'approved', metadata: { wallet: 'main' } } }],
    });
    const { slices } = (await desk.get('decisions/times/', merchant.owner.key)).body;
    const answered = slices.map((slice: { answered: number }) => slice.answered);
    expect(answered.reduce((sum: number, count: number) => sum + count)).toBe(2);
  });
});
