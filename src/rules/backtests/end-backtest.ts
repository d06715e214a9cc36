import { localIdentity } from '../../audit/entry.ts';
import type { Database } from '../../db/database.ts';
import { recordEvent } from '../../events/journal.ts';
import { readActor } from '../../programs/actor.ts';
import type { BacktestRecord } from './backtest.ts';
import { presentBacktest } from './present-backtest.ts';
import { updateEnded } from './queries.ts';

/** The end of a backtest, with its event. */
export const endBacktest = (
  db: Database,
  backtest: BacktestRecord,
  status: 'COMPLETED' | 'FAILED',
): Promise<void> =>
  db.transaction(async (tx) => {
    const { programId } = backtest;
    const { program, now } = await readActor(tx, localIdentity('system:rules'), programId);
    const nowMs = now();
    const completedAt = new Date(nowMs);
    if (!(await updateEnded(tx, backtest, status, backtest, completedAt))) return;
    const data = presentBacktest({ ...backtest, status, completedAt }, program.currency);
    recordEvent(tx, { programId, eventType: 'rule', eventName: 'rule.backtest_completed', data, nowMs });
  });
