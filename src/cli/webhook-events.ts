import { type Command, InvalidArgumentError } from 'commander';
import type { Database } from '../db/database.ts';
import { parseTimestamp } from '../kernel/calendar.ts';
import { lowestIdAt, timeOf } from '../kernel/ids.ts';
import type { Actor } from '../programs/actor.ts';
import { type EventView, listEvents } from '../webhooks/list-events.ts';
import { type Resent, resendEvent, resendMissed } from '../webhooks/resend-events.ts';
import { withProgress } from './progress.ts';
import { PROGRAM } from './select.ts';
import type { Session } from './session.ts';
import { type Output, type Terminal, table } from './terminal.ts';
import { countUpTo, durationMs } from './values.ts';
import { run, selectEndpoint } from './webhook-session.ts';

export function webhookEventCommands(group: Command, session: Session): void {
  group
    .command('events')
    .description('Show the newest events and the state of their deliveries')
    .option(...PROGRAM)
    .option('--limit <n>', 'number of events, up to 100', countUpTo(100), 20)
    .action(({ program, limit: pageSize }) =>
      run(session, program, async ({ db }, actor) => {
        const { events } = await listEvents(db, actor, { page: 1, pageSize }, [{}, {}], () => {});
        return eventList(session.terminal, events.slice(0, pageSize));
      }),
    );
  group
    .command('resend')
    .description('Resend an event, or all events that failed since a time')
    .argument('[event]', 'id of the event')
    .option(...PROGRAM)
    .option('--endpoint <id or URL>', 'only to this endpoint')
    .option(
      '--since <when>',
      'resend everything that failed since: 3d, 12h, or a timestamp such as 2026-12-01T00:00:00Z',
    )
    .action((eventId, { program, endpoint, since }) => {
      if ((eventId === undefined) === (since === undefined))
        throw new InvalidArgumentError('specify an event or --since');
      return run(session, program, async (services, actor) => {
        const to = endpoint && (await selectEndpoint(services, actor.program, endpoint)).id;
        const deliveries = eventId
          ? await resendEvent(services.db, actor.program.id, eventId, to)
          : await resendAll(session.terminal, services.db, actor, since, to);
        return {
          json: { deliveries },
          text: `Started ${deliveries} deliveries; a running server sends them.`,
        };
      });
    });
}

/** Resends page by page until the end, without a time limit. */
async function resendAll(
  terminal: Terminal,
  db: Database,
  { program, now }: Actor,
  since: string,
  endpointId: string | undefined,
): Promise<number> {
  const nowMs = now();
  const fromMs = sinceMs(since, nowMs);
  return withProgress(terminal, 'resend', async (onProgress) => {
    let deliveries = 0;
    for (let next: string | null = lowestIdAt(fromMs); next !== null; ) {
      const page: Resent = await resendMissed(db, program.id, next, endpointId, performance.now());
      deliveries += page.deliveries;
      next = page.next;
      if (next !== null) onProgress((timeOf(next) - fromMs) / (nowMs - fromMs));
    }
    return deliveries;
  });
}

/** A duration before now, or a timestamp; both in program time, like the events. */
function sinceMs(text: string, nowMs: number): number {
  const moment = parseTimestamp(text);
  return moment ?? nowMs - durationMs(text);
}

function eventList(terminal: Terminal, events: EventView[]): Output {
  const rows = events.map(({ eventId, eventName, created, deliveries }) => [
    eventId,
    eventName,
    created,
    deliveries.length === 0
      ? '-'
      : deliveries.map(({ status, attempts }) => `${status} (${attempts.length})`).join(', '),
  ]);
  const names = ['ID', 'EVENT', 'CREATED', 'DELIVERIES (ATTEMPTS)'];
  return {
    json: { events: events.map(({ id: _id, ...event }) => event) },
    text: table(terminal, names, rows, 'The program has no events yet.'),
  };
}
