import { formatTimestamp } from '../../kernel/calendar.ts';
import { type BacktestRecord, presentTally, progressOf } from './backtest.ts';

export const presentBacktest = (backtest: BacktestRecord, currency: string) => ({
  id: backtest.id,
  ruleId: backtest.ruleId,
  mode: backtest.mode,
  from: backtest.fromDay,
  to: backtest.toDay,
  status: backtest.status,
  progress: progressOf(backtest),
  ...presentTally(backtest.tally, currency),
  currency,
  approximate: backtest.approximate,
  createdAt: formatTimestamp(backtest.createdAt),
  completedAt: backtest.completedAt && formatTimestamp(backtest.completedAt),
});
export type PresentedBacktest = ReturnType<typeof presentBacktest>;
