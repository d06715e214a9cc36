import type { Filter } from '../../components/list/filter.ts';
import { type Fits, oneOf } from '../../components/list/search.ts';
import { EVENT_TITLES } from '../overview/describe-event.ts';
import { type Endpoint, EVENT_TYPES } from './queries.ts';

const STATES = {
  undelivered: 'Undelivered',
  failed: 'Failed',
  retrying: 'Waiting for a retry',
  pending: 'Pending',
  delivered: 'Delivered',
  not_sent: 'Not sent',
};

/** The values that the server accepts. */
export const FITS: Fits<'event' | 'endpoint' | 'state'> = {
  event: (value) => /^[a-z_.]{1,60}$/.test(value),
  endpoint: (value) => /^[0-9a-f-]{36}$/.test(value),
  state: oneOf(...Object.keys(STATES)),
};

/** All types, then single events. */
const EVENTS = {
  ...Object.fromEntries(Object.entries(EVENT_TYPES).map(([type, { label }]) => [type, `All: ${label}`])),
  ...EVENT_TITLES,
};

export const eventFilters = (endpoints: Endpoint[]): Filter[] => [
  { name: 'event', label: 'Event', choices: EVENTS, wide: true },
  {
    name: 'endpoint',
    label: 'Endpoint',
    choices: Object.fromEntries(endpoints.map(({ id, url }) => [id, url])),
    wide: true,
  },
  { name: 'state', label: 'Delivery', choices: STATES },
];
