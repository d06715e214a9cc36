import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Received } from '../receiver.ts';
import type { Report } from './finding.ts';
import { groupBy, type Rows } from './rows.ts';

/** What the receiver has in its own log against the events of the database: all of them, nothing else, signed. */

const LINK_SECONDS = 300;
/** Between making the link and signing the request a process may be paused. */
const TOLERANCE_SECONDS = 2;

export function checkEvents(rows: Rows, received: readonly Received[], secret: string, report: Report): void {
  const byId = groupBy(received, ({ id }) => id);
  const deliveries = new Map(rows.deliveries.map((row) => [row['event_id'], row['status']]));
  for (const event of rows.events) {
    // The first start funds the program before it has an endpoint.
    if (event['event_name'] === 'account.funded') continue;
    const came = byId.get(event['id']) ?? [];
    byId.delete(event['id']);
    if (!came.some(({ answer }) => answer === 200))
      report('every event delivered', `event ${event['id']} (${event['event_name']}) never arrived`);
    if (deliveries.get(event['id']) !== 'DELIVERED')
      report(
        'every event delivered',
        `event ${event['id']} is ${deliveries.get(event['id']) ?? 'without a delivery'}`,
      );
    for (const one of came) checkContent(event, one, secret, report);
    if (event['event_type'] === 'files') checkLinks(event['id'], came, report);
  }
  for (const id of byId.keys()) report('nothing made up', `event ${id} arrived and never happened`);
  checkFileEvents(rows, report);
}

function checkContent(
  event: Rows['events'][number],
  { id, timestamp, signature, body }: Received,
  secret: string,
  report: Report,
): void {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const right = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  if (!signature.split(' ').includes(`v1,${right}`))
    report('every event delivered', `event ${id} came with a wrong signature`);
  const { eventId, eventName, data } = JSON.parse(body);
  const { link: _link, expireAt: _end, sequence: _sequence, ...rest } = data;
  const { sequence: _own, ...written } = event['data'];
  if (eventId !== id || eventName !== event['event_name'] || !isDeepStrictEqual(rest, written))
    report('nothing made up', `event ${id} came with another content than it has`);
}

/** Every try brings a link that was made for it. */
function checkLinks(id: string, came: readonly Received[], report: Report): void {
  const tries = came.map(({ timestamp, body }) => ({
    sent: Number(timestamp),
    end: JSON.parse(body).data.expireAt as number,
  }));
  for (const { sent, end } of tries) {
    const left = end - sent;
    if (!(left <= LINK_SECONDS + 1 && left >= LINK_SECONDS - TOLERANCE_SECONDS))
      report('links are fresh', `event ${id} came with a link for ${left} s`);
  }
}

/** Each request for a report gets one event. */
function checkFileEvents(rows: Rows, report: Report): void {
  const recorded = groupBy(
    rows.events.filter((row) => row['event_type'] === 'files'),
    ({ data }) => data.reference_id as string,
  );
  for (const { id } of rows.reportRequests)
    if (recorded.get(id)?.length !== 1)
      report('every event delivered', `report request ${id} has ${recorded.get(id)?.length ?? 0} events`);
}
