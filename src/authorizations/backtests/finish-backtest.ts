import { setTimeout } from 'node:timers/promises';
import type { Actor } from '../../programs/actor.ts';
import type { PresentedBacktest } from '../../rules/backtests/present-backtest.ts';
import { retrieveBacktest } from '../../rules/backtests/read-backtests.ts';
import { type RunServices, ruleBacktests } from './run-backtests.ts';

/** Short, so that the progress is seen to move. */
const TURN_MS = 250;
const LOOK_AGAIN_MS = 100;

/** Takes turns until a backtest has ended, beside the workers of a server if one runs. `onProgress`: from 0 to 1. */
export async function finishBacktest(
  services: RunServices,
  actor: Actor,
  id: string,
  onProgress: (share: number) => void = () => {},
): Promise<PresentedBacktest> {
  const job = ruleBacktests(services);
  for (;;) {
    const backtest = await retrieveBacktest(services.db, actor, undefined, id);
    if (backtest.completedAt) return backtest;
    onProgress(backtest.progress / 100);
    const [due] = await job.findDue(actor.program.id);
    const turn = { deadline: performance.now() + TURN_MS, isStopping: () => false };
    if (!due || (await job.work(due, turn)) !== true) await setTimeout(LOOK_AGAIN_MS);
  }
}
