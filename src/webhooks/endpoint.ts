import type { Endpoint } from '../events/event.ts';
import { formatTimestamp } from '../kernel/calendar.ts';

export const MAX_ENDPOINTS = 5;

export const presentEndpoint = ({ id, url, eventTypes, status, statusReason, createdAt }: Endpoint) => ({
  id,
  url,
  eventTypes,
  status,
  statusReason,
  created: formatTimestamp(createdAt),
});
