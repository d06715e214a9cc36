import type { Planned } from './action.ts';
import { perform } from './perform.ts';
import { DAY_MS, MINUTE_MS } from './plan.ts';
import type { Stage } from './stage.ts';

/** What happens within so much time happens at one reading of the clock: the engine can gather it. */
const STEP_MS = 30 * MINUTE_MS;
/** A step must not run over into the next day while it is under way: limits are counted by the day. */
const BEFORE_MIDNIGHT_MS = DAY_MS - MINUTE_MS;

/** Lets everything happen in order of time, with the program's clock. */
export async function walk(
  stage: Stage,
  planned: readonly Planned[],
  onProgress: (share: number) => void,
): Promise<void> {
  let done = 0;
  for (const step of stepsOf(planned)) {
    await stage.moveClock(step.atMs);
    await runLanes(stage, step.lanes);
    done += step.size;
    onProgress(done / planned.length);
  }
}

interface Step {
  atMs: number;
  size: number;
  lanes: Planned[][];
}

/** `planned` is in order of time. */
function* stepsOf(planned: readonly Planned[]): Generator<Step> {
  for (let from = 0; from < planned.length; ) {
    const { atMs } = planned[from] as Planned;
    let to = from;
    const lanes = new Map<number, Planned[]>();
    for (let next = planned[to]; next && next.atMs < atMs + STEP_MS; next = planned[++to])
      lanes.set(next.lane, [...(lanes.get(next.lane) ?? []), next]);
    const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS;
    yield {
      atMs: Math.min(atMs, dayMs + BEFORE_MIDNIGHT_MS),
      size: to - from,
      lanes: [...lanes.values()],
    };
    from = to;
  }
}

/** Lanes side by side; within a lane one after another. */
async function runLanes(stage: Stage, lanes: Planned[][]): Promise<void> {
  await Promise.all(
    lanes.map(async (lane) => {
      for (const action of lane) await perform(stage, action);
    }),
  );
}
