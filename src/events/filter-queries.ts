import type { Bind } from '../db/bind.ts';
import { EVENT_LIST } from './queries.ts';

/** The conditions on the deliveries `d` of an event `t`, worst first. `undelivered` is all that can be resent. */
const DELIVERY_STATES = {
  failed: "d.status = 'FAILED'",
  retrying: "d.status = 'PENDING' and d.attempts > 0",
  pending: "d.status = 'PENDING' and d.attempts = 0",
  undelivered: "d.status <> 'DELIVERED'",
  delivered: "d.status = 'DELIVERED'",
} as const;
/** Nothing can be resent to a removed endpoint: of its deliveries `d`, only those that arrived count. */
const counts = (program: string): string => `(d.status = 'DELIVERED' or not exists (
  select from webhook_endpoints e
  where e.program_id = ${program} and e.id = d.endpoint_id and e.status = 'REMOVED'))`;
const STATES = [
  ...(Object.keys(DELIVERY_STATES) as Array<keyof typeof DELIVERY_STATES>),
  'not_sent',
] as const;
export const EVENT_STATES = STATES;
export type EventState = (typeof STATES)[number];

/** For a larger query: the worst state of the deliveries of an event `t`. The program is SQL. */
export const stateOfEvent = (program: string): string => `coalesce((
  select case when bool_or(${DELIVERY_STATES.failed}) then 'failed'
              when bool_or(${DELIVERY_STATES.retrying}) then 'retrying'
              when bool_or(${DELIVERY_STATES.pending}) then 'pending'
              when count(*) > 0 then 'delivered' end
  from webhook_deliveries d where d.program_id = ${program} and d.event_id = t.id and ${counts(program)}), 'not_sent')`;

/** The conditions on an event. Undefined: any value. */
export interface EventConditions {
  /** A type or a name. */
  event?: string | undefined;
  endpointId?: string | undefined;
  state?: EventState | undefined;
}

/** The events that match, for `lists/`. */
export const eventsMatching = ({ event, endpointId, state }: EventConditions) => ({
  ...EVENT_LIST,
  conditions: (bind: Bind, program: string): string[] => {
    const byEndpoint = endpointId === undefined ? '' : `and d.endpoint_id = ${bind(endpointId, 'uuid')}`;
    const hasDelivery = (of: string) => `exists (select from webhook_deliveries d
      where d.program_id = ${program} and d.event_id = t.id ${byEndpoint} ${of} offset 0)`;
    const conditions =
      event === undefined
        ? []
        : [`(t.event_type = ${bind(event, 'text')} or t.event_name = ${bind(event, 'text')})`];
    if (state === 'not_sent') return [...conditions, `not ${hasDelivery(`and ${counts(program)}`)}`];
    if (state !== undefined)
      return [...conditions, hasDelivery(`and ${DELIVERY_STATES[state]} and ${counts(program)}`)];
    return endpointId === undefined ? conditions : [...conditions, hasDelivery('')];
  },
});
