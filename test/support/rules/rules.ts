import { expect } from 'vitest';
import type { Owner } from '../cards/network.ts';
import type { Fleet } from '../server/server-fleet.ts';
import type { Answer, RequestOptions, TestApp } from '../server/test-app.ts';

export const RULES = '/api/v1/merchant/rules/';
export const LISTS = '/api/v1/merchant/rule-lists/';

/** Declines purchases in the category of bakeries. */
export const aRule = (changes: Record<string, unknown> = {}) => ({
  name: 'No bread',
  appliesTo: 'PROGRAM',
  when: { field: 'mcc', op: 'eq', value: '5462' },
  action: 'DECLINE',
  ...changes,
});

export const BREAD = { id: 'm-5', name: 'Bakery', mcc: '5462', city: 'Berlin', country: 'DE' };

type Changes = Record<string, unknown>;

interface Caller {
  call(method: string, path: string, options: RequestOptions): Promise<Pick<Answer, 'status' | 'body'>>;
}

/** The calls of a fleet's own program, at its servers in turn. */
export function callsOfFleet(fleet: Fleet) {
  let turn = 0;
  const call: Caller['call'] = (method, path, { body }) =>
    fleet.merchant(turn++ % fleet.size, method, path, body as object | undefined);
  return callsOf({ call, key: '' });
}

/** Calls of an owner, each of which must be answered with this status. */
export const callsOf = (app: Caller & Pick<TestApp, 'key'>, { key }: Pick<Owner, 'key'> = app) => {
  const answered = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await app.call(method, path, { key, ...(body !== undefined && { body }) });
    expect([answer.status, answer.body.message]).toEqual([
      status,
      status < 300 ? undefined : expect.any(String),
    ]);
    return answer.body as Answer['body'];
  };
  return {
    create: (changes: Changes = {}) => answered(201, 'POST', RULES, aRule(changes)),
    promote: (id: string, body: object = { confirm: true }) =>
      answered(200, 'POST', `${RULES}${id}/promote/`, body),
    demote: (id: string) => answered(200, 'POST', `${RULES}${id}/demote/`),
    archive: (id: string) => answered(200, 'DELETE', `${RULES}${id}/`),
    get: (path: string) => answered(200, 'GET', path),
    put: (name: string, type: string, values: unknown[]) =>
      answered(200, 'PUT', `${LISTS}${name}/`, { type, values }),
    /** `add` or `remove`. */
    change: (name: string, change: string, values: unknown[]) =>
      answered(200, 'POST', `${LISTS}${name}/${change}/`, { values }),
    /** A rule that decides. */
    async active(changes: Changes = {}) {
      const { id } = await this.create(changes);
      return this.promote(id);
    },
    /** The message of a refusal. */
    async refused(status: number, method: string, path: string, body?: unknown): Promise<string> {
      return (await answered(status, method, path, body)).message;
    },
  };
};
