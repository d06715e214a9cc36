import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localIdentity } from '../../src/audit/entry.ts';
import { moveProgram } from '../../src/db/citus/cluster.ts';
import { openCluster } from '../../src/db/citus/open-cluster.ts';
import { queryableOf, withClient } from '../../src/db/connection.ts';
import { type Database, openDatabase, type Tx } from '../../src/db/database.ts';
import { lockMasterBalance } from '../../src/ledger/queries.ts';
import { createProgram } from '../../src/programs/create-program.ts';
import { SANDBOX_BIN } from '../../src/programs/program.ts';
import { createCard } from '../support/cards/cards.ts';
import { swipe } from '../support/cards/swipe.ts';
import { type Cluster, startCluster } from '../support/database/cluster.ts';
import { sql } from '../support/database/database.ts';
import { startDatabaseProxy } from '../support/database/database-proxy.ts';
import type { InstalledPostgres } from '../support/database/installed-postgres.ts';
import { ledgerFindings } from '../support/database/money-checks.ts';
import { isCitusRun } from '../support/database/on-citus.ts';
import { eventually } from '../support/scripts/eventually.ts';
import { appForTests } from '../support/server/test-app.ts';

describe.runIf(isCitusRun())('a batch on the node of its program', () => {
  const app = appForTests();

  test('finds the program after its shards were split', async () => {
    const { id } = await createCard(app);
    expect((await swipe(app, id, '1.00')).approved).toBe(true);
    const split = "select isolate_tenant_to_new_shard('cards', $1::uuid, 'CASCADE', 'block_writes')";
    await app.sql(split, [app.program.id]);
    for (let count = 0; count < 3; count++) expect((await swipe(app, id, '1.00')).approved).toBe(true);
    const spent =
      'select total_spent_minor as minor from card_counters where program_id = $1 and card_id = $2';
    expect(await app.db.query(spent, [app.program.id, id])).toEqual([{ minor: 400n }]);
    expect(await ledgerFindings(app.databaseUrl)).toEqual([]);
  });

  test('is held with the rights of the owner, and only by servers', async () => {
    await app.sql('create role stranger_of_homes');
    const asked = app.sql(
      'set role stranger_of_homes; select hold_home($$00000000-0000-0000-0000-000000000000$$); reset role',
    );
    await expect(asked).rejects.toThrow('permission denied for function hold_home');
    await app.sql('drop role stranger_of_homes');
    const [path] = await app.sql("select proconfig as set from pg_proc where proname = 'hold_home'");
    expect(path).toEqual({ set: ['search_path=pg_catalog, pg_temp'] });
  });
});

describe.runIf(isCitusRun())('a transaction through the coordinator', () => {
  let cluster: Cluster;
  let db: Database;
  beforeAll(async () => {
    cluster = await startCluster(3, 4);
    db = await openCluster(
      openDatabase({ url: cluster.url, poolSize: 4, namedStatements: true, onIdleError: () => {} }),
    );
  }, 60_000);
  afterAll(async () => {
    await db.close();
    await cluster.stop();
  });

  const addProgram = (name: string) =>
    db.transaction((tx) =>
      createProgram(tx, localIdentity('test'), {
        ...{ name, mode: 'sandbox', currency: 'EUR', bin: SANDBOX_BIN, kycProvider: 'sandbox' },
      }),
    );
  const portOf = async (programId: string): Promise<number> => {
    const [row] = await sql<{ port: number }>(
      cluster.url,
      `select n.nodeport as port from pg_dist_placement s join pg_dist_node n using (groupid)
       where s.shardid = get_shard_id_for_distribution_column('cards', $1::uuid)`,
      [programId],
    );
    return row?.port as number;
  };

  test('keeps the program of a row that it has locked from moving until it ends', async () => {
    const { id } = await addProgram('Locked');
    const before = await portOf(id);
    const source = cluster.nodes.find(({ port }) => port === before) as InstalledPostgres;
    const other = cluster.nodes.slice(1).find(({ port }) => port !== before) as InstalledPostgres;
    const moved = withClient(cluster.url, (client) =>
      moveProgram(queryableOf(client), id, [id], `127.0.0.1:${other.port}`, () => {}),
    );
    const finds = (url: string, text: string) =>
      eventually(async () => expect(await sql(url, text)).not.toEqual([]));
    // Before it copies, a move waits for all transactions anyway.
    await finds(source.url, 'select from pg_replication_slots where active');
    await db.transaction(
      async (tx) => {
        await lockMasterBalance(tx, id);
        const waits =
          "select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted";
        await Promise.race([moved, finds(cluster.url, waits)]);
        expect(await portOf(id)).toBe(before);
      },
      { lockMs: 1_000, idleMs: 60_000 },
    );
    await moved;
    expect(await portOf(id)).toBe(other.port);
  }, 60_000);

  test('is planned for each program, and a batch on a node once for all', async () => {
    const { id } = await addProgram('Planned');
    const mode = {
      text: "select current_setting('plan_cache_mode') as mode from ledger_accounts where program_id = $1 limit 1",
    };
    const read = (tx: Tx) => tx.query(mode, [id]);
    expect(await db.transaction(read)).toEqual([{ mode: 'auto' }]);
    expect(await db.inProgram(id, read)).toEqual([{ mode: 'force_generic_plan' }]);
  });

  test('is not acknowledged while a node has not finished it', async () => {
    const node = cluster.nodes[1] as InstalledPostgres;
    const proxy = await startDatabaseProxy(node.url);
    const readdress = (from: number, to: number) =>
      sql(
        cluster.url,
        "select citus_update_node(nodeid, '127.0.0.1', $2) from pg_dist_node where nodeport = $1",
        [from, to],
      );
    const proxyPort = Number(new URL(proxy.url).port);
    await readdress(node.port, proxyPort);
    let names = 0;
    // Until one of them is on that node.
    const addUntilRefused = async () => {
      while (names < 50) await addProgram(`Late ${++names}`);
    };
    const accounts = () =>
      sql(
        cluster.url,
        'select from ledger_accounts where program_id = (select id from programs where name = $1)',
        [`Late ${names}`],
      );
    try {
      proxy.cutAt('COMMIT PREPARED');
      await expect(addUntilRefused()).rejects.toMatchObject({ httpStatus: 503 });
      expect(await accounts()).toEqual([]);
      await sql(cluster.url, 'select recover_prepared_transactions()');
      expect(await accounts()).not.toEqual([]);
    } finally {
      await readdress(proxyPort, node.port);
      await proxy.close();
    }
  }, 60_000);
});
