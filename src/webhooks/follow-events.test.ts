import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seededRandom } from '../../test/support/scripts/random.ts';
import { appForTests } from '../../test/support/server/test-app.ts';
import type { Database } from '../db/database.ts';
import { recordEvents } from '../events/journal.ts';
import type { EventName } from '../events/names.ts';
import { newId } from '../kernel/ids.ts';
import type { Program } from '../programs/program.ts';
import { type Follower, followEvents } from './follow-events.ts';

const app = appForTests();

const namesOf = async (follower: Follower): Promise<string[]> => {
  const names: string[] = [];
  for await (const { eventName } of follower.look(app.db)) names.push(eventName);
  return names;
};

function signal(): [Promise<void>, () => void] {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return [given, give];
}

/** Records an event in a transaction that stays open until `end` is called. `ms` is the time of the event's id. */
function record({ id: programId }: Program, eventName: string, ms = Date.now(), db: Database = app.db) {
  const [mayCommit, commit] = signal();
  const [written, isWritten] = signal();
  const event = {
    id: newId(ms),
    eventType: 'card' as const,
    eventName: eventName as EventName<'card'>,
    cardId: null,
    cardSequence: null,
    data: {},
  };
  const done = db.transaction(async (tx) => {
    recordEvents(tx, programId, [event], ms);
    // Sent statements reach PostgreSQL with the next query.
    await tx.query({ text: 'select 1' }, []);
    isWritten();
    await mayCommit;
  });
  const end = (): Promise<void> => {
    commit();
    return done;
  };
  return { written, end };
}
const happen = async (program: Program, name: string, ms?: number): Promise<void> =>
  record(program, name, ms).end();

test('begins at the given position, and returns each event once', async () => {
  const { program } = await app.addProgram();
  await happen(program, 'before');
  const follower = followEvents(program.id);
  expect(await namesOf(follower)).toEqual([]);
  await happen(program, 'first');
  await happen(program, 'second');
  expect(await namesOf(follower)).toEqual(['first', 'second']);
  expect(await namesOf(follower)).toEqual([]);
});

test('returns an event whose transaction commits after later ones, even if it began before the start', async () => {
  const { program } = await app.addProgram();
  const slow = record(program, 'slow');
  await slow.written;
  const follower = followEvents(program.id);
  expect(await namesOf(follower)).toEqual([]);
  const slower = record(program, 'slower');
  await slower.written;
  await happen(program, 'quick');
  expect(await namesOf(follower)).toEqual(['quick']);
  await slow.end();
  expect(await namesOf(follower)).toEqual(['slow']);
  await slower.end();
  expect(await namesOf(follower)).toEqual(['slower']);
});

test('misses no event when a clock jumps', async () => {
  const { program, key } = await app.addProgram();
  const follower = followEvents(program.id);
  await namesOf(follower);
  const late = record(program, 'of before the jump');
  await late.written;
  await app.call('POST', '/api/v1/sandbox/clock/', { key, body: { advance_seconds: 30 * 86_400 } });
  await happen(program, 'of after the jump', Date.now() + 30 * 86_400_000);
  expect(await namesOf(follower)).toEqual(['of after the jump']);
  await late.end();
  expect(await namesOf(follower)).toEqual(['of before the jump']);
  const fresh = followEvents(program.id);
  const later = record(program, 'of an old clock');
  await later.written;
  await namesOf(fresh);
  await later.end();
  expect(await namesOf(fresh)).toEqual(['of an old clock']);
});

test('continues after an interruption at the last returned event', async () => {
  const { program } = await app.addProgram();
  const follower = followEvents(program.id);
  await namesOf(follower);
  for (const name of ['one', 'two', 'three']) await happen(program, name);
  for await (const { eventName } of follower.look(app.db)) {
    expect(eventName).toBe('one');
    break;
  }
  expect(await namesOf(follower)).toEqual(['two', 'three']);
});

test('returns all events of concurrent transactions, each once, for any order of their commits', async () => {
  const { program } = await app.addProgram();
  const random = seededRandom(7);
  const follower = followEvents(program.id);
  await namesOf(follower);
  const names = Array.from({ length: 150 }, (_, index) => `event ${index}`);
  const received: string[] = [];
  let left = names.length;
  const work = names.map(async (name) => {
    await pause(random() * 300);
    const { written, end } = record(program, name);
    await written;
    await pause(random() * 40);
    await end();
    left -= 1;
  });
  while (left > 0) received.push(...(await namesOf(follower)));
  await Promise.all(work);
  received.push(...(await namesOf(follower)));
  expect(received.length).toBe(names.length);
  expect([...received].sort()).toEqual([...names].sort());
});
