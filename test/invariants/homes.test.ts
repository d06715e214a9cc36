import { describe, expect, test } from 'vitest';
import { createCard } from '../support/cards/cards.ts';
import { swipe } from '../support/cards/swipe.ts';
import { isCitusRun } from '../support/database/citus.ts';
import { sql } from '../support/database/database.ts';
import { ledgerFindings } from '../support/database/money-checks.ts';
import { appForTests } from '../support/server/test-app.ts';

describe.runIf(isCitusRun())('a batch on the node of its program', () => {
  const app = appForTests();

  test('finds the program after its shards were split', async () => {
    const { id } = await createCard(app);
    expect((await swipe(app, id, '1.00')).approved).toBe(true);
    const split = "select isolate_tenant_to_new_shard('cards', $1::uuid, 'CASCADE', 'block_writes')";
    await sql(app.databaseUrl, split, [app.program.id]);
    for (let count = 0; count < 3; count++) expect((await swipe(app, id, '1.00')).approved).toBe(true);
    const spent =
      'select total_spent_minor as minor from card_counters where program_id = $1 and card_id = $2';
    expect(await app.db.query(spent, [app.program.id, id])).toEqual([{ minor: 400n }]);
    expect(await ledgerFindings(app.databaseUrl)).toEqual([]);
  });

  test('is held with the rights of the owner, and only by servers', async () => {
    await sql(app.databaseUrl, 'create role stranger_of_homes');
    const asked = sql(app.databaseUrl, 'set role stranger_of_homes; select hold_home(1); reset role');
    await expect(asked).rejects.toThrow('permission denied for function hold_home');
    await sql(app.databaseUrl, 'drop role stranger_of_homes');
    const [path] = await sql(
      app.databaseUrl,
      "select proconfig as set from pg_proc where proname = 'hold_home'",
    );
    expect(path).toEqual({ set: ['search_path=pg_catalog, pg_temp'] });
  });
});
