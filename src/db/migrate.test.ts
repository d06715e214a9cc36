import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pastPooler, sql } from '../../test/support/database/database.ts';
import { fillCards } from '../../test/support/database/fill-cards.ts';
import { isCitusRun } from '../../test/support/database/on-citus.ts';
import { appForTests } from '../../test/support/server/test-app.ts';
import { MIGRATIONS_DIR, migrate } from './migrate.ts';

/** A migration of a later release, on a database that is in use. On a cluster its tables are distributed already. */
const app = appForTests();
const dir = mkdtempSync(join(tmpdir(), 'emboss-migrations-'));
let url: string;
let cardId: string;

beforeAll(async () => {
  cpSync(MIGRATIONS_DIR, dir, { recursive: true });
  url = pastPooler(app.databaseUrl);
  const nowMs = Date.now();
  [cardId] = (await fillCards(app, app.program, { count: 1, fromMs: nowMs - 1_000, toMs: nowMs })) as [
    string,
  ];
});
afterAll(() => rmSync(dir, { recursive: true }));

const LATER = `
-- A comment; it's no statement.
set local lock_timeout = '10s';
alter table cards add colour text, add weight int;
update cards set colour = 'red; it''s "bright"', weight = 5; /* one; /* two; */ three; */
alter table cards alter column colour set not null;
alter table cards rename column colour to "the; colour";
create index cards_colour on cards (program_id, "the; colour");
alter table events add constraint weightless check (event_type <> E'it\\'s; heavy');
create function paler(colour text) returns text language sql as $paler$ select $$pale; $$ || colour; $paler$;
do $$
begin
  alter table cards drop column weight;
  alter table cards add shade text;
end $$;
create table card_colours (
  program_id uuid not null references programs (id),
  card_id    uuid not null,
  colour     text not null,
  primary key (program_id, card_id),
  foreign key (program_id, card_id) references cards (program_id, id)
);
comment on table card_colours is 'append only';
create index card_colours_colour on card_colours (program_id, colour);
insert into card_colours select program_id, id, paler("the; colour") from cards;
-- The end; without a statement.
`;

const migrateWith = (text: string) => {
  writeFileSync(join(dir, '900000_colours.sql'), text);
  return migrate(url, { dir });
};

/** On a cluster the server also uses the shards directly. */
const TABLES = isCitusRun()
  ? "select shard_name(logicalrelid, shardid) as name from pg_dist_shard where logicalrelid = 'card_colours'::regclass"
  : "select 'card_colours' as name";
const readRights = `
  select distinct array(select r from unnest(array['select', 'insert', 'update', 'delete']) as r
    where has_table_privilege($1, name, r)) as rights from (${TABLES}) t`;

test('a migration whose last statement fails leaves nothing', async () => {
  await expect(migrateWith(`${LATER}; select 1 / 0;`)).rejects.toThrow('division by zero');
  expect(await sql(url, "select to_regclass('card_colours') as created")).toEqual([{ created: null }]);
});

test('a later migration changes tables, rows and rights', async () => {
  const { applied, role } = await migrateWith(LATER);
  expect(applied).toEqual(['900000_colours']);
  const [card] = await app.db.query(
    {
      text: `select c."the; colour" as colour, c.shade, n.colour as stored
             from cards c join card_colours n on n.program_id = $1 and n.card_id = c.id
             where c.program_id = $1 and c.id = $2`,
    },
    [app.program.id, cardId],
  );
  const colour = 'red; it\'s "bright"';
  expect(card).toEqual({ colour, shade: null, stored: `pale; ${colour}` });
  expect(await sql(url, readRights, [role])).toEqual([{ rights: ['select', 'insert'] }]);
  const insert = app.db.query(
    "insert into card_colours (program_id, card_id, colour) values ($1, gen_random_uuid(), '')",
    [app.program.id],
  );
  await expect(insert).rejects.toThrow('violates foreign key constraint');
  expect(await migrate(url, { dir })).toMatchObject({ applied: [] });
});
