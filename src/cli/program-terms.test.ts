import { describe, expect, test } from 'vitest';
import { createCard } from '../../test/support/cards/cards.ts';
import { putDecisionEndpoint } from '../../test/support/decisions/decisions.ts';
import { testActor } from '../../test/support/server/actor.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { appForTests } from '../../test/support/server/test-app.ts';
import { type ProgramChange, updateProgram } from '../programs/update-program.ts';

const SWIPE = '/api/v1/sandbox/authorizations/';

const app = appForTests();
const emboss = (...args: string[]) => runCli(app.env, [...args, '--json']);

describe('program set', () => {
  test('sets every term exactly, and show prints it', async () => {
    const { program } = await app.addProgram({ currency: 'BHD' });
    const changed = await emboss(
      ...['program', 'set', program.id, '--fx-fee-bps', '175', '--interchange-bps', '20'],
      ...['--transaction-cost-bps', '8', '--atm-fee', '2.005', '--transaction-cost', '0.04'],
      ...['--virtual-issuance-fee', '1', '--physical-issuance-fee', '999999999999.999'],
      ...['--maintenance-fee', '0.000', '--enforce-master-balance', 'true'],
      ...['--hold-days', '10', '--long-hold-days', '45', '--challenge-above', '30'],
      ...['--require-authentication-above', '0.005', '--authentication-days', '30'],
      ...['--cash-interchange-bps', '-30', '--over-hold-percent', '0'],
      ...['--rules-guard-percent', '12'],
      ...['--allow-exemptions', 'TRUSTED_MERCHANT,LOW_VALUE'],
      ...['--support-limit-factor', '3', '--support-limit-days', '14'],
    );
    const expected = {
      id: program.id,
      enforceMasterBalance: true,
      holdDays: 10,
      longHoldDays: 45,
      challengeAbove: '30.000',
      requireAuthenticationAbove: '0.005',
      authenticationDays: 30,
      overHoldPercent: 0,
      rulesGuardPercent: 12,
      allowedExemptions: ['LOW_VALUE', 'TRUSTED_MERCHANT'],
      supportLimitFactor: 3,
      supportLimitDays: 14,
      fees: {
        fxFeeBps: 175,
        interchangeBps: 20,
        cashInterchangeBps: -30,
        transactionCostBps: 8,
        atmFee: '2.005',
        transactionCost: '0.040',
        virtualIssuanceFee: '1.000',
        physicalIssuanceFee: '999999999999.999',
        maintenanceFee: '0.000',
      },
      balances: { balance: '0.000', held: '0.000', available: '0.000' },
    };
    expect(changed).toMatchObject({ code: 0, json: expected });
    expect((await emboss('program', 'show', program.id)).json).toMatchObject(expected);
    const { out } = await runCli(app.env, ['program', 'show', program.id]);
    for (const line of [
      /FX fee +175 basis points/,
      /cash interchange +-30 basis points/,
      /exemptions +LOW_VALUE, TRUSTED_MERCHANT\n/,
      /clearings +flagged more than 0 % above what was approved/,
      /support +raises limits to 3 times at most, for 14 days at most/,
      /ATM fee +2\.005 BHD/,
      /holds +released after 10 days; lodging and vehicle rental after 45/,
      /3-D Secure +challenges payments above 30\.000 BHD/,
      /online purchases +need an authentication above 0\.005 BHD/,
      /authentications +count for 30 days/,
      /master account +enforced/,
      /available +0\.000 BHD/,
    ])
      expect(out).toMatch(line);
    const untouched = await emboss('program', 'set', program.id, '--name', 'Renamed');
    expect(untouched.json).toMatchObject({ ...expected, name: 'Renamed' });
  });

  test.each([
    ['--fx-fee-bps', '10001', 'a whole number from 0 to 10000'],
    ['--interchange-bps', '-1', 'a whole number from 0 to 10000'],
    ['--cash-interchange-bps', '10001', 'a whole number from -10000 to 10000'],
    ['--cash-interchange-bps', '-10001', 'a whole number from -10000 to 10000'],
    ['--cash-interchange-bps', '-0.5', 'a whole number from -10000 to 10000'],
    ['--hold-days', '366', 'a whole number from 1 to 365'],
    ['--long-hold-days', '0', 'a whole number from 1 to 365'],
    ['--authentication-days', '91', 'a whole number from 1 to 90'],
    ['--rules-guard-percent', '101', 'a whole number from 0 to 100'],
    ['--over-hold-percent', '1001', 'a whole number from 0 to 1000'],
    ['--over-hold-percent', '-1', 'a whole number from 0 to 1000'],
    ['--support-limit-factor', '0', 'a whole number from 1 to 100'],
    ['--support-limit-days', '91', 'a whole number from 1 to 90'],
    ...['NONE', 'low_value', 'LOW_VALUE,', 'LOW_VALUE,none'].map((list) => [
      '--allow-exemptions',
      list,
      'one or more of LOW_VALUE, RISK_ANALYSIS, TRUSTED_MERCHANT, CORPORATE, separated by commas, or none',
    ]),
  ])('refuses %s %s and names the option', async (option, value, rule) => {
    const refused = await emboss('program', 'set', app.program.id, option, value);
    expect(refused).toMatchObject({ code: 2, json: { code: 400 } });
    expect(refused.err).toMatch(new RegExp(`^emboss: option '${option} <`));
    expect(refused.err).toContain(`argument '${value}' is invalid. Use ${rule}.`);
  });

  test.each<[field: string, ProgramChange]>([
    ['cashInterchangeBps', { cashInterchangeBps: -10_001 }],
    ['cashInterchangeBps', { cashInterchangeBps: 0.5 }],
    ['overHoldPercent', { overHoldPercent: 1_001 }],
    ['holdDays', { holdDays: 0 }],
    ['allowedExemptions', { allowedExemptions: ['LOW_VALUE', 'NONE'] }],
  ])('the operation itself refuses %s in %j', async (field, change) => {
    const actor = await testActor(app.db, app.program.id);
    await expect(updateProgram(app.db, actor, change)).rejects.toThrow(`${field}: must be a `);
  });

  test('none takes the exemptions back, and the audit has both lists', async () => {
    const { program } = await app.addProgram();
    const allow = (list: string) => emboss('program', 'set', program.id, '--allow-exemptions', list);
    expect((await allow('CORPORATE, RISK_ANALYSIS')).json.allowedExemptions).toEqual([
      'RISK_ANALYSIS',
      'CORPORATE',
    ]);
    expect((await allow('none')).json.allowedExemptions).toEqual([]);
    const { out } = await runCli(app.env, ['program', 'show', program.id]);
    expect(out).toMatch(/exemptions +none allowed\n/);
    const [entry] = await app.sql(
      "select before, after from audit_entries where program_id = $1 and action = 'program.updated' order by id desc",
      [program.id],
    );
    expect(entry).toEqual({
      before: { allowedExemptions: ['RISK_ANALYSIS', 'CORPORATE'] },
      after: { allowedExemptions: [] },
    });
  });

  test('a word takes the amounts of 3-D Secure away, and the audit has both values', async () => {
    const { program } = await app.addProgram();
    const set = (challenge: string, require: string) =>
      emboss(
        ...['program', 'set', program.id, '--challenge-above', challenge],
        ...['--require-authentication-above', require],
      );
    await set('30', '12.50');
    const off = { challengeAbove: null, requireAuthenticationAbove: null };
    expect(await set('always', 'none')).toMatchObject({ code: 0, json: off });
    const { out } = await runCli(app.env, ['program', 'show', program.id]);
    expect(out).toMatch(/3-D Secure +challenges every payment\n.*online purchases +need no authentication\n/);
    const [entry] = await app.sql(
      "select before, after from audit_entries where program_id = $1 and action = 'program.updated' order by id desc",
      [program.id],
    );
    expect(entry).toEqual({
      before: { challengeAboveMinor: '3000', requireAuthenticationAboveMinor: '1250' },
      after: { challengeAboveMinor: null, requireAuthenticationAboveMinor: null },
    });
    expect(await set('none', 'none')).toMatchObject({ code: 2 });
    expect(await set('always', '1.005')).toMatchObject({ code: 1 });
    expect((await emboss('program', 'show', program.id)).json).toMatchObject(off);
  });

  test('changes the authorization mode once there is a decision endpoint', async () => {
    const { program, key } = await app.addProgram();
    const set = ['program', 'set', program.id, '--authorization-mode', 'REAL_TIME', '--hold-days', '9'];
    const refused = await runCli(app.env, set);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('The authorization mode REAL_TIME needs a decision endpoint'),
    ]);
    expect((await emboss('program', 'show', program.id)).json).toMatchObject({
      authorizationMode: 'STANDARD',
      holdDays: 7,
    });
    await putDecisionEndpoint(app, { url: 'https://shop.example/' }, { program, key });
    expect((await emboss(...set)).json).toMatchObject({ authorizationMode: 'REAL_TIME', holdDays: 9 });
    expect((await runCli(app.env, ['program', 'show', program.id])).out).toMatch(/authorizations +REAL_TIME/);
  });

  test('applies from the next purchase on', async () => {
    const { program, key } = await app.addProgram();
    const card = await createCard(app, { spendLimit: 100 }, key);
    const abroad = { card_id: card.id, amount: '20.00', currency: 'USD', bill_amount: '18.00' };
    const swipe = (body: object) => app.call('POST', SWIPE, { body, key });
    await swipe(abroad);
    await emboss('program', 'set', program.id, '--fx-fee-bps', '200', '--enforce-master-balance', 'true');
    expect((await swipe(abroad)).body).toMatchObject({ approved: false, decline_reason: 'program_balance' });
    await emboss('program', 'fund', program.id, '--amount', '100.00');
    expect((await swipe(abroad)).body).toMatchObject({ approved: true });
    // The first purchase was held without the fee, from a master account without funds.
    expect((await emboss('program', 'show', program.id)).json.balances).toEqual({
      balance: '100.00',
      held: '36.36',
      available: '63.64',
    });
  });
});

describe('program fund', () => {
  test('moves the money, prints the new balance, and is audited', async () => {
    const { program } = await app.addProgram({ currency: 'JPY' });
    const first = await emboss('program', 'fund', program.id, '--amount', '1000');
    expect(first).toMatchObject({
      code: 0,
      json: {
        ...{ amount: '1000', currency: 'JPY' },
        balances: { balance: '1000', held: '0', available: '1000' },
      },
    });
    const { out } = await runCli(app.env, [
      'program',
      'fund',
      program.id,
      '--amount',
      '250',
      '--reference',
      'wire 7',
    ]);
    expect(out).toMatch(
      /^Funded Test \d+ with 250 JPY\.\n +balance +1250 JPY\n +held +0 JPY\n +available +1250 JPY\n$/,
    );
    const entries = await app.sql(
      "select actor, before, after from audit_entries where program_id = $1 and action = 'program.funded' order by id",
      [program.id],
    );
    expect(entries[0]?.['after']).toMatchObject({ movementId: first.json.movementId, reference: null });
    expect(entries[1]).toEqual({
      actor: expect.stringMatching(/^cli:.+/),
      before: { available: '1000' },
      after: {
        ...{ amount: '250', balance: '1250', available: '1250', reference: 'wire 7' },
        movementId: expect.any(String),
      },
    });
    expect((await emboss('ledger', 'verify', program.id)).json).toMatchObject({
      verified: true,
      programs: [{ transfers: 2 }],
    });
  });

  test('concurrent fundings lose nothing, and each prints its own balance', async () => {
    const { program } = await app.addProgram();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => emboss('program', 'fund', program.id, '--amount', '0.01')),
    );
    const balances = answers.map(({ json }) => json.balances.available).sort();
    expect(balances).toEqual(['0.01', '0.02', '0.03', '0.04', '0.05', '0.06', '0.07', '0.08']);
  });

  test('refuses amounts that are well formed but not allowed, and moves nothing', async () => {
    const { program } = await app.addProgram();
    for (const amount of ['0', '0.00', '1.001', '10000000000000.00'])
      expect(await emboss('program', 'fund', program.id, '--amount', amount)).toMatchObject({ code: 1 });
    expect((await emboss('program', 'show', program.id)).json.balances.available).toBe('0.00');
  });
});
