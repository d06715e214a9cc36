import { type Message, requestOf } from '../model/messages.ts';
import type { AttemptResult } from './history.ts';
import type { Keys } from './processes.ts';

/** How a request goes over the wire, and what its answer says. */

export interface Wire {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: object;
}

/** An operator's session. */
export interface Operator {
  programId: string;
  cookie: string;
  csrfToken: string;
}

export interface Apis {
  merchant(method: string, path: string, body?: object, idempotencyKey?: string): Wire;
  network(message: Message): Wire;
  console(method: string, path: string, body?: object): Wire;
}

const ANSWER_WITHIN_MS = 6_000;

export async function send(url: string, { method, path, headers, body }: Wire): Promise<AttemptResult> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const answer = await response.json();
    const { status } = response;
    if (status >= 200 && status < 300) return { outcome: 'ok', status, answer };
    return { outcome: status >= 400 && status < 500 ? 'refused' : 'unknown', status, answer };
  } catch {
    return { outcome: 'unknown', status: null, answer: null };
  }
}

export const openApis = (keys: Keys, operator: Operator): Apis => ({
  merchant: (method, path, body, idempotencyKey) => ({
    method,
    path,
    headers: {
      'x-payments-api-key': keys.merchant,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body }),
  }),
  network: (message) => {
    const { path, body } = requestOf(message);
    const headers = { 'x-network-key': keys.network };
    return { method: 'POST', path: `/api/v1/network/${path}`, headers, body };
  },
  console: (method, path, body) => ({
    method,
    path: `/console/api/programs/${operator.programId}/${path}`,
    headers: { cookie: operator.cookie, 'x-csrf-token': operator.csrfToken },
    ...(body && { body }),
  }),
});
