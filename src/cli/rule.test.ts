import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCli } from '../../test/support/server/cli.ts';
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
