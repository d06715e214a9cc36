import type { Queryable } from '../db/database.ts';
import { notFound } from '../kernel/error.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import { SETTLED_AFTER_MS } from '../lists/extend-milestones.ts';
import { programNow, sinceClockMove } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';
import type { StoredEvent } from './event-body.ts';
import { findEvents, listEventIds } from './queries.ts';

const EVENTS_AT_ONCE = 200;

/** One moment by both clocks. The program's may have been moved since, so what it said is kept. */
interface Mark {
  realMs: number;
  programMs: number;
}

export interface Follower {
  /** What has come up since the last look, each event once. The first look finds nothing: it is where following begins. */
  look(db: Queryable): AsyncGenerator<StoredEvent, void, undefined>;
}

/**
 * Follows the events of a program as they are committed. An event has its id before its transaction ends, so one with a
 * lower id may come up after this one: every look goes over all that could still have been under way at the look before.
 */
export function followEvents(programId: string): Follower {
  let known: Set<string> | undefined;
  let marks: Mark[] = [];

  async function* look(db: Queryable): AsyncGenerator<StoredEvent, void, undefined> {
    const seen = await readProgram(db, programId);
    if (!seen) throw notFound();
    const { program, realNowMs: realMs } = seen;
    const now = { realMs, programMs: programNow(program, realMs) };
    const movedLately = sinceClockMove(program, realMs) < SETTLED_AFTER_MS;
    marks = marks.length > 0 ? marksNeeded(marks) : [beginning(now, movedLately)];
    const ids = await listEventIds(db, programId, lowestIdAt((marks[0] as Mark).programMs));
    known ??= new Set(ids);
    const fresh = ids.filter((id) => !known?.has(id));
    for (let start = 0; start < fresh.length; start += EVENTS_AT_ONCE)
      for (const event of await findEvents(db, programId, fresh.slice(start, start + EVENTS_AT_ONCE))) {
        known.add(event.id);
        yield event;
      }
    known = new Set(ids);
    marks.push(now);
  }

  return { look };
}

/** Where the clock stood before it was moved is not known; it was never behind the real one. */
const beginning = ({ realMs, programMs }: Mark, movedLately: boolean): Mark => ({
  realMs: realMs - SETTLED_AFTER_MS,
  programMs: (movedLately ? Math.min(realMs, programMs) : programMs) - SETTLED_AFTER_MS,
});

/** From the last one on that lies far enough before the newest, which is the look before. */
function marksNeeded(marks: readonly Mark[]): Mark[] {
  const settledMs = (marks.at(-1)?.realMs ?? 0) - SETTLED_AFTER_MS;
  const first = marks.findLastIndex(({ realMs }) => realMs <= settledMs);
  return marks.slice(Math.max(first, 0));
}
