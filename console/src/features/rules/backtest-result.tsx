import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Loaded } from '../../components/loaded.tsx';
import { FactsOutline } from '../../components/panel-outline.tsx';
import { useProgram } from '../../lib/program.ts';
import { backtestQuery } from './backtest-queries.ts';

const BacktestState = lazy(async () => ({ default: (await import('./backtest-state.tsx')).BacktestState }));

/** The progress of a backtest, then its figures and its matches. */
export function BacktestResult({ id }: { id: string }) {
  const { id: programId } = useProgram();
  const query = useQuery(backtestQuery(programId, id));
  return (
    <Loaded query={query} outline={<FactsOutline count={5} />}>
      {(backtest) => (
        <Suspense fallback={<FactsOutline count={5} />}>
          <BacktestState backtest={backtest} />
        </Suspense>
      )}
    </Loaded>
  );
}
