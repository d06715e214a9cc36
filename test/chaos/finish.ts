import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FILE_TYPES } from '../../src/reports/report.ts';
import { sql } from '../support/database/database.ts';
import type { Report } from './checker/finding.ts';
import type { Clients } from './clients.ts';
import type { Keys } from './processes.ts';
import type { Workspace } from './workspace.ts';

/** After the last fault: everything in progress ends, and every report is requested. */

export interface Ending {
  workspace: Workspace;
  clients: Clients;
  keys: Keys;
  /** Of a server. */
  url: string;
  givenUp: AbortSignal;
}

/** The longer the run, the more is in progress at its end: every hold that was not cleared expires at once. */
const restLimitMs = (minutes: number): number => 90_000 + minutes * 12_000;
const LOOK_EVERY_MS = 300;
const NUDGE_EVERY_MS = 500;
const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** What does not end in time is a finding, and the run continues. */
export async function within(
  minutes: number,
  complaint: string,
  report: Report,
  work: Promise<unknown>,
): Promise<void> {
  const late = new AbortController();
  const limitMs = restLimitMs(minutes);
  const limit = `not within ${limitMs} ms`;
  const end = pause(limitMs, limit, { signal: late.signal }).catch(() => undefined);
  const done = work.then(
    () => undefined,
    (error: Error) => error.message,
  );
  const failure = await Promise.race([done, end]).finally(() => late.abort());
  if (failure !== undefined) report('comes to rest', `${complaint}: ${failure}`);
}

/** The month ends: holds expire, every report can be requested, and every event is sent. */
export async function finish(ending: Ending): Promise<void> {
  const { workspace, clients, givenUp } = ending;
  const { databaseUrl } = workspace;
  const today = new Date();
  const days = clients.daysAhead() + 1;
  await clients.moveClock(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 6) + days * DAY_MS);
  await untilNone(databaseUrl, givenUp, "transactions where status = 'PENDING'");
  const dates = Array.from({ length: days }, (_, day) => dayOf(today.getTime() + day * DAY_MS));
  const wanted = FILE_TYPES.flatMap((type) =>
    (type.startsWith('monthly') ? dates.slice(0, 1) : dates).map((date) => ({ type, date })),
  );
  // Ends the leases of killed workers and the hours between two attempts.
  await sql(databaseUrl, "update reports set leased_until = now() where status = 'pending'");
  await Promise.all(wanted.map((report) => fetchReport(ending, report)));
  await untilNone(databaseUrl, givenUp, 'audit_unlinked');
  await untilNone(
    databaseUrl,
    givenUp,
    'webhook_deliveries where due_at is not null',
    `update webhook_deliveries set due_at = now() where due_at > now() + interval '2 seconds'`,
  );
}

async function fetchReport(
  { workspace, clients, keys, url, givenUp }: Ending,
  { type, date }: { type: string; date: string },
): Promise<void> {
  const wire = clients.merchant('GET', `/api/v1/merchant/files/${type}/?date=${date}`);
  const request = { operation: 'report' as const, id: `last ${type} ${date}`, args: { type, date } };
  const { outcome, status, answer } = await clients.settle(request, wire);
  if (outcome !== 'ok') throw new Error(`${type} of ${date}: ${status} ${JSON.stringify(answer)}`);
  const state = `${url}/api/v1/merchant/files/requests/${answer.reference_id}/`;
  const headers = { 'x-payments-api-key': keys.merchant };
  while (!givenUp.aborted) {
    const response = await fetch(state, { headers }).catch(() => undefined);
    const { link } = response?.ok ? ((await response.json()) as { link: string | null }) : { link: null };
    const file = link ? await fetch(link).catch(() => undefined) : undefined;
    if (file?.ok) {
      const content = Buffer.from(await file.arrayBuffer());
      return writeFileSync(join(workspace.dir, 'reports', `${type} ${date}.csv`), content);
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** A cluster finishes by itself the transactions whose coordinator or node was killed between the phases. */
export const untilNonePrepared = async ({ postgres }: Workspace, givenUp: AbortSignal): Promise<void> =>
  void (await Promise.all(postgres.map(({ url }) => untilNone(url, givenUp, 'pg_prepared_xacts'))));

async function untilNone(
  databaseUrl: string,
  givenUp: AbortSignal,
  rows: string,
  nudge?: string,
): Promise<void> {
  for (let nudgedAt = 0; !givenUp.aborted; await pause(LOOK_EVERY_MS)) {
    const left = await sql(databaseUrl, `select from ${rows} limit 1`).catch(() => [{}]);
    if (left.length === 0) return;
    if (!nudge || performance.now() - nudgedAt < NUDGE_EVERY_MS) continue;
    nudgedAt = performance.now();
    // The workers lock the same rows in another order, so a deadlock may cancel this transaction.
    await sql(databaseUrl, nudge).catch(() => {});
  }
}
