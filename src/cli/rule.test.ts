import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCard } from '../../test/support/cards/cards.ts';
import { swipe } from '../../test/support/cards/swipe.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { today } from '../../test/support/server/clock.ts';
import { appForTests } from '../../test/support/server/test-app.ts';
import { EXAMPLE_RULE_BODY, EXAMPLE_WHEN } from '../rules/examples.ts';

const app = appForTests();
const directory = mkdtempSync(join(tmpdir(), 'emboss-rules-'));
afterAll(() => rmSync(directory, { recursive: true }));

const emboss = (...args: string[]) => runCli(app.env, ['rule', ...args]);
const fileOf = (name: string, content: unknown): string => {
  const path = join(directory, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

test('rules are listed by status and shown with their conditions', async () => {
  expect((await emboss('list')).out).toMatch(/^No rules\. /);
  const { body } = await app.call('POST', '/api/v1/merchant/rules/', { body: EXAMPLE_RULE_BODY });
  expect(await emboss('list', '--status', 'SHADOW', '--json')).toMatchObject({
    ...{ code: 0, json: { rules: [body] } },
  });
  expect((await emboss('list', '--status', 'ACTIVE', '--json')).json).toEqual({ rules: [] });
  expect((await emboss('show', body.id, '--json')).json).toEqual(body);
  expect((await emboss('show', body.id)).out).toContain('"value": "mcc:gambling"');
  expect(await emboss('show', 'unknown')).toMatchObject({
    ...{ code: 3, err: 'emboss: There is no rule "unknown"; see "emboss rule list"\n' },
  });
});

test('a condition in a file is evaluated for a sample, and a wrong one is named by its path', async () => {
  const sample = fileOf('sample.json', { mcc: '7995', billAmount: '40.00' });
  // A rule, or its condition alone.
  for (const document of [EXAMPLE_RULE_BODY, EXAMPLE_WHEN])
    expect(await emboss('test', fileOf('rule.json', document), '--sample', sample, '--json')).toMatchObject({
      code: 0,
      json: {
        result: false,
        leaves: [
          { path: 'when.all[0]', value: '7995', result: true },
          { path: 'when.all[1]', value: '40.00', result: false },
        ],
      },
    });
  const wrong = fileOf('wrong.json', { any: [{ field: 'billAmount', op: 'gt', value: '1.001' }] });
  expect(await emboss('test', wrong, '--sample', sample)).toMatchObject({
    ...{ code: 1, err: 'emboss: when.any[0].value: at most 2 decimals in EUR\n' },
  });
  const text = fileOf('text.json', 'mcc');
  expect((await emboss('test', text, '--sample', sample)).err).toBe(`emboss: ${text}: must be JSON\n`);
});

test('a backtest runs without a server, of a rule or of a file, with its progress', async () => {
  const { id: cardId } = await createCard(app);
  const day = await today(app);
  const casino = { name: 'Casino', mcc: '7995' };
  for (const amount of ['60.00', '40.00', '9000.00']) await swipe(app, cardId, amount, { merchant: casino });
  const { body: rule } = await app.call('POST', '/api/v1/merchant/rules/', { body: EXAMPLE_RULE_BODY });
  const days = ['--from', day, '--to', await today(app)];
  const saved = await emboss('backtest', rule.id, ...days, '--json');
  const figures = {
    ...{ status: 'COMPLETED', progress: 100, evaluated: 3, approved: 2, matched: 2, alreadyDeclined: 1 },
    approvedThatWouldBeDeclined: { count: 1, amount: '60.00' },
  };
  expect([saved.code, saved.err, saved.json]).toMatchObject([0, '', { ruleId: rule.id, ...figures }]);
  expect((await app.call('GET', `/api/v1/merchant/rules/${rule.id}/backtests/`)).body.results).toEqual([
    saved.json,
  ]);
  // A condition alone declines for all cards.
  for (const document of [EXAMPLE_RULE_BODY, EXAMPLE_WHEN]) {
    const file = fileOf('unsaved.json', document);
    const { json } = await emboss('backtest', file, ...days, '--mode', 'AS_IF_ACTIVE', '--json');
    expect(json).toMatchObject({ ruleId: null, mode: 'AS_IF_ACTIVE', ...figures });
  }
  const flag = fileOf('flag.json', { ...EXAMPLE_RULE_BODY, action: 'FLAG' });
  const shown = await runCli(app.env, ['rule', 'backtest', flag, ...days], { live: true });
  expect(shown.err.slice(5)).toMatch(/^Backtest of No gambling above 50 ░+ +0 %/);
  expect(shown.out).toMatch(/would decline +0 of 2 approvals \(0\.0 %\), 0\.00 EUR\n/);
  expect(shown.out).toMatch(new RegExp(`DAY +EVALUATED +MATCHED +AMOUNT \\(EUR\\)\n${day} +3 +2 +9060.00`));
});

test('a backtest names what is wrong with its rule, its file or its days', async () => {
  const days = ['--from', '2026-01-02', '--to', '2026-01-01'];
  const file = fileOf('rule.json', EXAMPLE_RULE_BODY);
  const refused = async (...args: string[]) => {
    const { code, err } = await emboss('backtest', ...args);
    return [code, err];
  };
  expect(await refused(file, ...days)).toEqual([1, 'emboss: from: must not be after to\n']);
  expect((await refused(file, '--from', 'yesterday', '--to', '2026-01-01'))[0]).toBe(2);
  expect((await refused(file, '--from', '2026-01-01'))[0]).toBe(2);
  expect((await refused(file, ...days, '--mode', 'LIVE'))[0]).toBe(2);
  const unknown = '00000000-0000-7000-8000-000000000000';
  const missing = `There is no rule "${unknown}"; see "emboss rule list"`;
  expect(await refused(unknown, ...days)).toEqual([3, `emboss: ${missing}\n`]);
  expect(await refused('none.json', ...days)).toEqual([
    3,
    'emboss: There is no rule or file "none.json"; give the id of a rule ("emboss rule list"), or a JSON file\n',
  ]);
  const valid = ['--from', '2026-01-01', '--to', '2026-01-01'];
  const wrong = async (changes: object) =>
    refused(fileOf('wrong.json', { ...EXAMPLE_RULE_BODY, ...changes }), ...valid);
  expect(await wrong({ action: 'BLOCK' })).toEqual([
    1,
    'emboss: rule.action: must be one of DECLINE, FLAG, REQUIRE_AUTHENTICATION\n',
  ]);
  expect(await wrong({ when: { field: 'mcc', op: 'gt', value: '1' } })).toEqual([
    1,
    expect.stringMatching(/^emboss: rule\.when\.op: /),
  ]);
  expect(await wrong({ appliesTo: { cardIds: [unknown] } })).toEqual([
    1,
    'emboss: rule.appliesTo.cardIds[0]: is not a card in this program\n',
  ]);
});

test('a backtest whose list is removed before its turn has failed', async () => {
  const list = '/api/v1/merchant/rule-lists/shops/';
  await app.call('PUT', list, { body: { type: 'merchant', values: ['M-1'] } });
  const day = await today(app);
  const when = { field: 'merchant.id', op: 'inList', value: 'shops' };
  const body = { rule: { ...EXAMPLE_RULE_BODY, when }, from: day, to: day, mode: 'OBSERVED' };
  const queued = await app.call('POST', '/api/v1/merchant/rule-backtests/', { body });
  expect(queued.status).toBe(202);
  await app.call('DELETE', list);
  // The one of the command comes after it.
  const file = fileOf('after.json', EXAMPLE_WHEN);
  expect((await emboss('backtest', file, '--from', day, '--to', day)).code).toBe(0);
  const { body: ended } = await app.call('GET', `/api/v1/merchant/rule-backtests/${queued.body.id}/`);
  expect(ended).toMatchObject({ status: 'FAILED', progress: 0 });
});
