import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../../test/support/database/database.ts';
import { isCitusRun } from '../../test/support/database/on-citus.ts';
import { runCli } from '../../test/support/server/cli.ts';

const isCitus = isCitusRun();
const dataDir = mkdtempSync(join(tmpdir(), 'emboss-cluster-'));
let env: Record<string, string>;

beforeAll(async () => {
  const masterKey = randomBytes(32).toString('base64');
  env = { DATABASE_URL: await freshDatabase(), EMBOSS_MASTER_KEY: masterKey, DATA_DIR: dataDir };
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const create = () =>
  runCli(env, ['program', 'create', '--name', 'Acme', '--currency', 'EUR', '--bin', '999900']);

describe.skipIf(isCitus)('on a single server', () => {
  test.each([['distribute'], ['status'], ['move Acme db1:5432'], ['isolate Acme']])(
    'emboss cluster %s explains what is missing',
    async (args) => {
      await create();
      const { code, err } = await runCli(env, ['cluster', ...args.split(' ')]);
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining(
          'the database has no Citus extension: install it on every node as docs/cluster.md describes',
        ),
      });
    },
  );

  test.each(['0', '1025', '1.5', 'many'])('refuses %s shards', async (shards) => {
    const { code, err } = await runCli(env, ['cluster', 'distribute', '--shards', shards]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('must be a number from 1 to 1024'),
    });
  });

  test('emboss doctor checks no cluster', async () => {
    const { json } = await runCli(env, ['doctor', '--json']);
    expect(json.findings.filter(({ check }: { check: string }) => check === 'cluster')).toEqual([]);
  });
});

describe.runIf(isCitus)('on a cluster', () => {
  test('lists the nodes, their programs and what is distributed', async () => {
    await create();
    const { code, json } = await runCli(env, ['cluster', 'status', '--json']);
    const programs = json.nodes.map((node: { programs: number }) => node.programs);
    expect({ code, undistributed: json.undistributed, programs }).toEqual({
      code: 0,
      undistributed: [],
      programs: [1],
    });
    const { out } = await runCli(env, ['cluster', 'distribute']);
    expect(out).toBe('All tables are already distributed.\n');
  });

  test('gives a program shards of its own, once', async () => {
    const { out } = await runCli(env, ['cluster', 'isolate', 'acme']);
    expect(out).toContain('Acme has shards of its own on 127.0.0.1:');
    expect((await runCli(env, ['cluster', 'isolate', 'acme'])).out).toBe(
      'Acme has shards of its own already.\n',
    );
  });

  test('moves a program only to a node of the cluster', async () => {
    const [node] = (await runCli(env, ['cluster', 'status', '--json'])).json.nodes;
    expect((await runCli(env, ['cluster', 'move', 'Acme', node.node])).out).toBe(
      `Acme is on ${node.node} already.\n`,
    );
    const { code, err } = await runCli(env, ['cluster', 'move', 'Acme', 'nowhere:1']);
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringContaining('no node is named "nowhere:1"; see "emboss cluster status"'),
    });
  });
});
