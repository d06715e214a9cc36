import { describe, expect, test } from 'vitest';
import { createBreakers } from './breaker.ts';

/** Failed or answered requests, one after the other. */
const send = (breakers: ReturnType<typeof createBreakers>, failed: boolean, nowMs: number, key = 'a') => {
  const pass = breakers.enter(key, nowMs);
  return pass ? (breakers.leave(key, pass, failed, nowMs) ?? 'sent') : 'refused';
};
const fail = (breakers: ReturnType<typeof createBreakers>, times: number, nowMs = 0, key = 'a') =>
  Array.from({ length: times }, () => send(breakers, true, nowMs, key));

describe('a breaker', () => {
  test('opens with the fifth failure in a row, and an answer starts the count again', () => {
    const breakers = createBreakers();
    expect(fail(breakers, 4)).toEqual(['sent', 'sent', 'sent', 'sent']);
    expect(send(breakers, false, 0)).toBe('sent');
    expect(fail(breakers, 6)).toEqual(['sent', 'sent', 'sent', 'sent', 'opened', 'refused']);
  });

  test('stays open for ten seconds', () => {
    const breakers = createBreakers();
    fail(breakers, 5, 1_000);
    expect(send(breakers, false, 10_999)).toBe('refused');
    expect(send(breakers, false, 11_000)).toBe('closed');
    expect(send(breakers, false, 11_000)).toBe('sent');
  });

  test('then lets one probe at a time through', () => {
    const breakers = createBreakers();
    fail(breakers, 5);
    const probe = breakers.enter('a', 10_000);
    expect(probe).toEqual({ isProbe: true });
    expect(breakers.enter('a', 10_000)).toBeUndefined();
    expect(breakers.enter('a', 30_000)).toBeUndefined();
    expect(breakers.leave('a', { isProbe: true }, true, 30_000)).toBe('opened');
    expect(send(breakers, false, 39_999)).toBe('refused');
    expect(send(breakers, false, 40_000)).toBe('closed');
    expect(fail(breakers, 4, 40_000)).not.toContain('opened');
  });

  test('lets another probe through if one says nothing about the endpoint', () => {
    const breakers = createBreakers();
    fail(breakers, 5);
    expect(breakers.leave('a', breakers.enter('a', 10_000) ?? { isProbe: false }, undefined, 10_000)).toBe(
      undefined,
    );
    expect(send(breakers, false, 10_000)).toBe('closed');
  });

  test('ignores the end of requests that were sent before it opened', () => {
    const breakers = createBreakers();
    const [early, late] = [breakers.enter('a', 0), breakers.enter('a', 0)];
    fail(breakers, 5);
    expect(breakers.leave('a', early ?? { isProbe: true }, false, 1)).toBeUndefined();
    expect(breakers.leave('a', late ?? { isProbe: true }, true, 9_000)).toBeUndefined();
    expect(send(breakers, false, 9_999)).toBe('refused');
    expect(send(breakers, false, 10_000)).toBe('closed');
  });

  test('belongs to one key', () => {
    const breakers = createBreakers();
    fail(breakers, 5);
    expect(send(breakers, true, 0, 'b')).toBe('sent');
    expect(breakers.countOpen(0)).toBe(1);
  });

  test('that is idle or one too many is forgotten', () => {
    const breakers = createBreakers(2);
    for (const key of ['a', 'b', 'c']) fail(breakers, 5, 0, key);
    expect(breakers.countOpen(0)).toBe(2);
    expect(send(breakers, true, 1, 'a')).toBe('sent');
    expect(breakers.countOpen(3_600_000)).toBe(1);
    expect(breakers.countOpen(3_600_002)).toBe(0);
  });
});
