import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { expireHolds } from '../../src/authorizations/engine/expire-holds.ts';
import { newId } from '../../src/kernel/ids.ts';
import { extendMilestones } from '../../src/lists/extend-milestones.ts';
import { MILESTONE_INTERVAL } from '../../src/lists/queries.ts';
import { findCursor } from '../../src/programs/cursor-queries.ts';
import type { Program } from '../../src/programs/program.ts';
import { waitUntilClosed } from '../../src/programs/wait-until-closed.ts';
import { fillCards } from '../support/database/fill-cards.ts';
import { isCitusRun } from '../support/database/on-citus.ts';
import { appForTests } from '../support/server/test-app.ts';

/**
 * A transaction over several nodes whose coordinator died between its two phases is finished when the coordinator is back. Its
 * records appear only then, however old they are.
 */
describe.runIf(isCitusRun())('while a transaction of a cluster waits for its second phase', () => {
  const app = appForTests();
  const NOW_MS = Date.now();
  const HOUR_MS = 3_600_000;
  /** Longer than a commit may take. */
  const STUCK_MS = 2_200;
  let program: Program;
  let filled: string[];

  beforeEach(async () => {
    program = (await app.addProgram()).program;
    const [fromMs, toMs] = [NOW_MS - 5 * HOUR_MS, NOW_MS - HOUR_MS];
    filled = await fillCards(app, program, { count: MILESTONE_INTERVAL, fromMs, toMs });
  });

  /** Adds a copy of a card on the node, and prepares the transaction. The result finishes it. */
  async function prepareCard(id: string): Promise<() => Promise<void>> {
    const node = new pg.Client({ connectionString: app.databaseUrl });
    await node.connect();
    const { rows } = await node.query(
      "select shard_name('cards', get_shard_id_for_distribution_column('cards', $1::uuid)) as name",
      [program.id],
    );
    const [name, gid] = [rows[0].name, `late_${randomBytes(6).toString('hex')}`];
    await node.query('set citus.enable_manual_changes_to_shards = on');
    await node.query('begin');
    await node.query(
      `insert into ${name} select (jsonb_populate_record(card, jsonb_build_object('id', $2::uuid))).*
       from ${name} card where program_id = $1 order by card.id limit 1`,
      [program.id, id],
    );
    await node.query(`prepare transaction '${gid}'`);
    return async () => {
      await node.query(`commit prepared '${gid}'`);
      await node.end();
    };
  }

  test('lists get no milestones, and count its records afterwards', async () => {
    const lateId = newId(NOW_MS - 6 * HOUR_MS);
    const finish = await prepareCard(lateId);
    await pause(STUCK_MS);
    const clock = { nowMs: NOW_MS, sinceMoveMs: Number.POSITIVE_INFINITY };
    const extend = async () => {
      await extendMilestones(app.db, { table: 'cards' }, program.id, Number.POSITIVE_INFINITY, clock);
      return app.db.query(
        'select ordinal::int, record_id as id from list_milestones where program_id = $1 and list = $2',
        [program.id, 'cards'],
      );
    };
    expect(await extend()).toEqual([]);
    await finish();
    expect(await extend()).toEqual([
      { ordinal: MILESTONE_INTERVAL, id: [lateId, ...filled][MILESTONE_INTERVAL - 1] },
    ]);
  });

  test('the expiry of holds reads the same transactions again', async () => {
    const finish = await prepareCard(newId(NOW_MS));
    await pause(STUCK_MS);
    await expireHolds(app, program.id);
    expect(await findCursor(app.db, program.id, 'hold-expiry')).toBeUndefined();
    await finish();
    await expireHolds(app, program.id);
    expect(await findCursor(app.db, program.id, 'hold-expiry')).toBeDefined();
  });

  test('no day is closed', async () => {
    const finish = await prepareCard(newId(NOW_MS));
    await pause(STUCK_MS);
    expect(await waitUntilClosed(app.db, program.id, NOW_MS - HOUR_MS, 100)).toBe(false);
    const closed = waitUntilClosed(app.db, program.id, NOW_MS - HOUR_MS, 10_000);
    await finish();
    expect(await closed).toBe(true);
  });
});
