import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { now } from '../history.ts';
import type { Guarantee, Report } from './finding.ts';
import { connect } from './rows.ts';

/** Queries the database again and again during the run, each time in one snapshot. */

const EVERY_MS = 400;
/** A check takes longer the more rows there are; pauses leave most of the time to the servers. */
const REST_PER_LOOK = 4;

/**
 * Each finds rows that must not exist at any moment. On a cluster a statement is of one moment on each node, so each compares
 * rows of the same program, which are on one node.
 */
const LOOKS: Array<{ guarantee: Guarantee; what: string; text: string }> = [
  {
    guarantee: 'money adds up',
    what: 'all accounts together are not zero',
    text: `select sum(balance_minor)::text as found from ledger_accounts
           group by program_id having sum(balance_minor) <> 0 limit 1`,
  },
  {
    guarantee: 'money adds up',
    what: 'an account is not what its transfers say',
    text: `with side as (
             select program_id, debit_account_id as id, -amount_minor as minor from ledger_transfers
             union all select program_id, credit_account_id, amount_minor from ledger_transfers),
           said as (select program_id, id, sum(minor) as minor from side group by program_id, id)
           select id::text as found from ledger_accounts a full join said s using (program_id, id)
           where coalesce(a.balance_minor, 0) <> coalesce(s.minor, 0) limit 1`,
  },
  {
    guarantee: 'money adds up',
    what: 'a movement takes from the card what it does not set aside, or what the merchant keeps',
    text: `select t.movement_id::text as found from ledger_transfers t
           left join events e on e.program_id = t.program_id and e.id = t.movement_id
           where t.code in ('credit_hold', 'hold', 'credit_release', 'release', 'credit_refund', 'refund')
           group by t.program_id, t.movement_id, e.data ->> 'authorization_mode'
           having sum(
             case when t.code like 'credit%' then amount_minor
                  when e.data ->> 'authorization_mode' = 'REAL_TIME' then 0
                  else -amount_minor end) <> 0 limit 1`,
  },
  {
    guarantee: 'no card beyond its credit',
    what: 'a card is below zero',
    text: `select c.id::text as found from cards c join ledger_accounts a on a.program_id = c.program_id and a.id = c.id
           where a.balance_minor < 0 limit 1`,
  },
  {
    guarantee: 'unknown is wholly in or out',
    what: 'a transaction lists an event that does not exist, or twice',
    // Not a join: its plan would be slow where nothing has been analyzed, as after a move.
    text: `select id::text as found from (
             select program_id, unnest(event_ids) as id, 1 as listed from transactions
             union all select program_id, id, 0 from events) either
           group by program_id, id having sum(listed) > count(*) - sum(listed) limit 1`,
  },
  {
    guarantee: 'every event delivered',
    what: 'an event has no delivery',
    // The first funding comes before the endpoint.
    text: `select e.id::text as found from events e
           where e.event_name <> 'account.funded' and not exists (
             select from webhook_deliveries d where d.program_id = e.program_id and d.event_id = e.id) limit 1`,
  },
];

/** A release's migration is there with all its parts, or not at all. */
const MIGRATION = `
  select (select count(*)::int from migrations where name like '%chaos') as applied,
         (select count(*)::int from information_schema.columns where table_name = 'chaos_release') as columns`;

export function startSnapshots(
  databaseUrl: string,
  report: Report,
): { taken(): number; stop(): Promise<void> } {
  let taken = 0;
  let stopped = false;
  const reported = new Set<string>();
  const once: Report = (guarantee, text) => {
    if (reported.has(text)) return;
    reported.add(text);
    report(guarantee, text);
  };
  const work = (async () => {
    while (!stopped) {
      try {
        const client = await connect(databaseUrl);
        try {
          while (!stopped) {
            const beganAt = now();
            await look(client, once);
            taken++;
            await pause(Math.max(EVERY_MS, REST_PER_LOOK * (now() - beganAt)));
          }
        } finally {
          await client.end();
        }
      } catch {
        // The database is unavailable at times.
        await pause(EVERY_MS);
      }
    }
  })();
  return {
    taken: () => taken,
    stop: async () => {
      stopped = true;
      await work;
      const client = await connect(databaseUrl);
      try {
        await look(client, once);
      } finally {
        await client.end();
      }
    },
  };
}

async function look(client: pg.Client, report: Report): Promise<void> {
  await client.query('begin isolation level repeatable read read only');
  for (const { guarantee, what, text } of LOOKS) {
    const { rows } = await client.query<{ found: string }>(text);
    if (rows[0]) report(guarantee, `${what}: ${rows[0].found}`);
  }
  const { rows } = await client.query<{ applied: number; columns: number }>(MIGRATION);
  const { applied = 0, columns = 0 } = rows[0] ?? {};
  if (!(applied === 0 && columns === 0) && !(applied === 1 && columns === 2))
    report('a migration is whole or absent', `applied ${applied} times, with ${columns} of 2 columns`);
  await client.query('commit');
}
