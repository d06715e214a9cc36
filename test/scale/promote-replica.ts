import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql, urlOf } from '../support/database/database.ts';
import { startDatabaseProxy } from '../support/database/database-proxy.ts';
import { createServer, installedPostgres } from '../support/database/installed-postgres.ts';
import { atLeast, scriptOf, wholeFrom } from '../support/scripts/script-options.ts';
import { type Keep, runScript } from '../support/scripts/script-run.ts';
import {
  addCard,
  type Credentials,
  type Fleet,
  purchase,
  startFleet,
} from '../support/server/server-fleet.ts';
import { killServers } from '../support/server/server-process.ts';

/**
 * A primary dies under load and its streaming replica takes over: `npm run scale:replica -- --seconds 10`. Two servers and
 * many clients reach the database by one address, as a fail-over proxy offers it. Before the end the way between primary and
 * replica is cut for longer than any limit of ours: with synchronous replication nothing may be acknowledged then. Whatever was
 * acknowledged must be on the replica, once, and the servers must find it by themselves.
 * With `--asynchronous`, a fault that is planted, it must find what was lost. Ends with 0 for nothing found, 1 for
 * findings, 2 for a run that is void: nothing was acknowledged that could have been lost.
 */
const { seconds, clients, asynchronous } = scriptOf(
  'scale:replica',
  'Kills a primary under load and promotes its synchronous replica: nothing acknowledged is lost.',
)
  .option('--seconds <number>', 'time before the connection to the replica is cut', atLeast(0), 10)
  .option('--clients <number>', 'concurrent clients', wholeFrom(1), 16)
  .option(
    '--asynchronous',
    'a planted fault: the primary does not wait for the replica, and the run must find the loss',
  )
  .parse()
  .opts<{ seconds: number; clients: number; asynchronous?: true }>();
/** Longer than the limit of a statement (10 s) and of an answer (15 s). */
const CUT_MS = 17_000;
const AFTER_MS = 5_000;
const CREDIT = 1_000_000;
const DATABASE = 'emboss';

const EXIT = { nothingFound: 0, findings: 1, void: 2 };

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** What the clients know. */
const acknowledged = new Map<string, { approved: boolean; index: number }>();
let unknown = 0;
let load = true;
let firstAgainMs: number | undefined;
let promotedMs: number | undefined;
/** Those that a promotion could lose. */
let acknowledgedInTime = 0;

async function client(fleet: Fleet, index: number, card: Credentials): Promise<void> {
  while (load) {
    const id = randomUUID();
    const message = purchase(id, card, '1.00');
    // An unknown outcome is retried with the same id, at either server, until it is known.
    for (let attempt = 0; ; attempt++) {
      const server = (index + attempt) % fleet.size;
      const reply = await fleet.network(server, 'authorizations/', message).catch(() => undefined);
      if (reply?.status === 200) {
        acknowledged.set(id, { approved: reply.body.approved, index });
        if (promotedMs !== undefined) firstAgainMs ??= performance.now() - promotedMs;
        break;
      }
      if (reply && reply.status < 500)
        throw new Error(`answered ${reply.status}: ${JSON.stringify(reply.body)}`);
      unknown++;
      if (!load && attempt > 200) throw new Error('no answer any more');
      await pause(50);
    }
  }
}

async function run(keep: Keep): Promise<string[]> {
  const binDir = installedPostgres(process.env['TEST_POSTGRES'] || 'installed');
  const settings = { max_connections: '120', wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on' };
  const primary = await keep(
    () => createServer(binDir, settings),
    ({ stop }) => stop(),
  );
  await sql(primary.url, `create database ${DATABASE}`);
  const [row] = await sql<{ server_version: string }>(primary.url, 'show server_version');
  say(`PostgreSQL ${row?.server_version} (${binDir})`);
  const link = await keep(
    () => startDatabaseProxy(primary.url),
    ({ close }) => close(),
  );
  const copy = ['--dbname', link.url, '--write-recovery-conf', '--checkpoint=fast'];
  const replica = await keep(
    () =>
      createServer(binDir, settings, (dataDir, execute) =>
        execute('pg_basebackup', ['--pgdata', dataDir, ...copy]),
      ),
    ({ stop }) => stop(),
  );
  if (!asynchronous) {
    await sql(primary.url, `alter system set synchronous_standby_names = '*'`);
    await sql(primary.url, 'select pg_reload_conf()');
    while ((await sql(primary.url, `select from pg_stat_replication where sync_state = 'sync'`)).length === 0)
      await pause(50);
  }
  const way = await keep(
    () => startDatabaseProxy(urlOf(primary.url, DATABASE)),
    ({ close }) => close(),
  );
  // At the very end, when none is started again. Closing the fleet would wait for sessions that wait for the replica.
  process.once('exit', killServers);
  const fleet = await startFleet(2, way.url);
  const cards = await Promise.all(
    Array.from({ length: clients }, () => addCard(fleet, { spendLimit: CREDIT })),
  );
  const work = Promise.all(cards.map(({ credentials }, index) => client(fleet, index, credentials)));
  // Reported where it is awaited, at the end.
  work.catch(() => {});
  await pause(seconds * 1000);
  const before = acknowledged.size;
  say(`${before} acknowledged; the way to the replica is cut`);
  link.fallSilent();
  await pause(CUT_MS);
  acknowledgedInTime = acknowledged.size;
  say(`${acknowledgedInTime - before} acknowledged while it was cut; the primary dies`);
  await primary.kill('SIGKILL');
  await link.close();
  await replica.run('pg_ctl', ['promote', '--pgdata', replica.dataDir, '--wait']);
  promotedMs = performance.now();
  way.leadTo(urlOf(replica.url, DATABASE));
  await pause(AFTER_MS);
  load = false;
  await work;
  say(
    `${acknowledged.size} acknowledged in the end; ${unknown} answers were lost or late and requested again`,
  );
  if (firstAgainMs !== undefined) say(`first success ${Math.round(firstAgainMs)} ms after the promotion`);
  return check(
    urlOf(replica.url, DATABASE),
    cards.map(({ id }) => id),
  );
}

/** Reads the promoted database alone, and shares no code with the product. */
async function check(url: string, cardIds: string[]): Promise<string[]> {
  const findings: string[] = [];
  const rows = await sql<{ id: string; status: string; card: string }>(
    url,
    `select external_transaction_id as id, status, card_id as card from transactions`,
  );
  const kept = new Map<string, { status: string; card: string; count: number }>();
  for (const { id, status, card } of rows)
    kept.set(id, { status, card, count: (kept.get(id)?.count ?? 0) + 1 });
  for (const [id, { approved, index }] of acknowledged) {
    const row = kept.get(id);
    if (!row) findings.push(`lost: ${id} was ${approved ? 'approved' : 'declined'}`);
    else if (row.count !== 1 || row.card !== cardIds[index]) findings.push(`twice or elsewhere: ${id}`);
    else if ((row.status === 'PENDING') !== approved)
      findings.push(`another outcome: ${id} is ${row.status}`);
  }
  const balances = await sql<{ card: string; minor: string }>(
    url,
    `select card, sum(minor) as minor from (
       select credit_account_id as card, amount_minor as minor from ledger_transfers
       union all select debit_account_id, -amount_minor from ledger_transfers) moved
     where card = any ($1) group by card`,
    [cardIds],
  );
  for (const { card, minor } of balances) {
    const spent = rows.filter((row) => row.card === card && row.status === 'PENDING').length;
    if (Number(minor) !== 100 * (CREDIT - spent))
      findings.push(`card ${card} has ${minor} after ${spent} purchases of 1.00`);
  }
  if (balances.length !== cardIds.length) findings.push('cards without a balance');
  if (firstAgainMs === undefined) findings.push('nothing succeeded after the promotion');
  return findings;
}

await runScript(async (keep) => {
  const findings = await run(keep);
  for (const finding of findings.slice(0, 20)) say(finding);
  if (findings.length > 0) {
    say(`${findings.length} findings`);
    return EXIT.findings;
  }
  if (acknowledgedInTime === 0) {
    say('void: nothing was acknowledged before the primary died, so nothing could be lost');
    return EXIT.void;
  }
  say('nothing found');
  return EXIT.nothingFound;
});
