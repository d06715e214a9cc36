import { type Queryable, SETTLED_AFTER_MS } from '../db/database.ts';
import type { StoredEvent } from '../events/event.ts';
import { findEvents, listEventIds } from '../events/queries.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import { programNow, sinceClockMove } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';

const EVENTS_AT_ONCE = 200;

/** One moment by both clocks. It stores program time as well, because the program's clock may be moved later. */
interface Mark {
  realMs: number;
  programMs: number;
}

export interface Follower {
  /** Yields the events since the last call, each once. The first call yields nothing and sets the starting point. */
  look(db: Queryable): AsyncGenerator<StoredEvent, void, undefined>;
}

/**
 * Follows the events of a program as they are committed. An event gets its id before its transaction commits, so an
 * event with a lower id may appear later. Every look therefore reads again all ids that could still have been
 * uncommitted at the previous look.
 */
export function followEvents(programId: string): Follower {
  let known: Set<string> | undefined;
  let marks: Mark[] = [];

  async function* look(db: Queryable): AsyncGenerator<StoredEvent, void, undefined> {
    const { program, realNowMs: realMs } = await readProgram(db, programId);
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

/** If the clock was moved recently, its earlier position is unknown. Program time is never behind real time. */
const beginning = ({ realMs, programMs }: Mark, movedLately: boolean): Mark => ({
  realMs: realMs - SETTLED_AFTER_MS,
  programMs: (movedLately ? Math.min(realMs, programMs) : programMs) - SETTLED_AFTER_MS,
});

/** Starts at the last mark that is at least SETTLED_AFTER_MS older than the newest mark, that of the previous look. */
function marksNeeded(marks: readonly Mark[]): Mark[] {
  const settledMs = (marks.at(-1)?.realMs ?? 0) - SETTLED_AFTER_MS;
  const first = marks.findLastIndex(({ realMs }) => realMs <= settledMs);
  return marks.slice(Math.max(first, 0));
}
