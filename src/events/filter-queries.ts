import type { Bind } from '../db/bind.ts';

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

/** Of a type or a name. */
export const withTypeOrName = (name: string) => ({
  where: (bind: Bind) => `(t.event_type = ${bind(name, 'text')} or t.event_name = ${bind(name, 'text')})`,
});

export const withText = (column: 'event_type' | 'event_name', value: string) => ({
  where: (bind: Bind) => `t.${column} = ${bind(value, 'text')}`,
});

/** SQL of the ids of events, as an array. Null: too many. */
export type EventIds = (bind: Bind, program: string) => string;

/** The events of a card: those of its transactions, and those of its own, which are few and have an index. */
export const ofCard = (cardId: string, ofTransactions: EventIds) => ({
  where: (bind: Bind) => `t.card_id = ${bind(cardId, 'uuid')}`,
  leads: [
    {
      column: 'id',
      values: (bind: Bind, program: string) => `(
        select case when ids is not null then ids || array(
          select e.id from events e
          where e.program_id = ${program} and e.card_id = ${bind(cardId, 'uuid')} and e.event_type <> 'transaction') end
        from (select ${ofTransactions(bind, program)} as ids) of_transactions)`,
    },
  ],
  isExact: true,
});

/** The events with these ids. */
export const withIds = (ids: EventIds) => ({
  where: (bind: Bind, program: string) => `t.id = any (coalesce(${ids(bind, program)}, '{}'))`,
  leads: [
    {
      column: 'id',
      values: (bind: Bind, program: string) => `coalesce(${ids(bind, program)}, '{}')`,
    },
  ],
  isExact: true,
});

const delivered = (program: string, of: string): string => `exists (select from webhook_deliveries d
  where d.program_id = ${program} and d.event_id = t.id ${of} offset 0)`;

/** Events with a delivery to an endpoint. */
export const sentTo = (endpointId: string) => ({
  where: (bind: Bind, program: string) =>
    delivered(program, `and d.endpoint_id = ${bind(endpointId, 'uuid')}`),
});

/** An index leads to those that were not delivered. Most are: they are found among all deliveries. */
export const withDelivery = (status: 'PENDING' | 'DELIVERED' | 'FAILED') => {
  const beside = { table: 'webhook_deliveries', id: 'event_id' };
  const lead =
    status === 'DELIVERED'
      ? { column: 'program_id', value: (_: Bind, program: string) => program, beside }
      : {
          column: 'status',
          value: (bind: Bind) => bind(status, 'text'),
          beside: { ...beside, where: "r.status <> 'DELIVERED'" },
        };
  return {
    where: (bind: Bind, program: string) => delivered(program, `and d.status = ${bind(status, 'text')}`),
    leads: [lead],
  };
};

/** Events of which a delivery has a state, to one endpoint or to any. */
export const inState = (state: EventState, endpointId?: string) => ({
  where: (bind: Bind, program: string) => {
    const to = endpointId === undefined ? '' : `and d.endpoint_id = ${bind(endpointId, 'uuid')}`;
    if (state === 'not_sent') return `not ${delivered(program, `${to} and ${counts(program)}`)}`;
    return delivered(program, `${to} and ${DELIVERY_STATES[state]} and ${counts(program)}`);
  },
});
