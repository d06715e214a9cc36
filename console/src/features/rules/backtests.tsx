import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/list/column.ts';
import { Table } from '../../components/list/table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import classes from './backtest.module.css';
import { BacktestForm } from './backtest-form.tsx';
import { backtestsPath, backtestsQuery, type RuleBacktest } from './backtest-queries.ts';
import { BacktestResult } from './backtest-result.tsx';
import { BACKTEST_STATUSES, MODES, periodWords, shareWords } from './backtest-words.ts';

const route = getRouteApi('/programs/$programId/rules/$ruleId');

/** What a rule would have done with the stored history: a form, the backtests so far, and the result of one. */
export function Backtests({ ruleId }: { ruleId: string }) {
  const { id: programId } = useProgram();
  const mayRun = useMay('manager');
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const { backtest: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(backtestsQuery(programId, ruleId));
  const rows = query.data?.pages.flatMap(({ results }) => results) ?? [];
  const shownId = chosen ?? rows[0]?.id;
  return (
    <>
      <Panel title="Backtests" flush>
        {mayRun && (
          <div className={classes.inset}>
            <BacktestForm
              send={(span) => api.post<RuleBacktest>(backtestsPath(ruleId), span)}
              onQueued={async ({ id }) => {
                await queryClient.invalidateQueries(backtestsQuery(programId, ruleId));
                await navigate({ search: { backtest: id }, replace: true, resetScroll: false });
              }}
            />
          </div>
        )}
        <Loaded query={query} outline={<TableOutline rows={3} />}>
          {() =>
            rows.length === 0 ? (
              <EmptyState icon={IconHistory} title="No backtests yet">
                A backtest shows what the rule would have done with the authorizations of earlier days.
              </EmptyState>
            ) : (
              <>
                <Table
                  label="Backtests"
                  columns={COLUMNS}
                  rows={rows}
                  rowKey={({ id }) => id}
                  linkOf={({ id }) => ({
                    to: '/programs/$programId/rules/$ruleId',
                    params: { programId, ruleId },
                    search: { backtest: id },
                    replace: true,
                    resetScroll: false,
                  })}
                />
                <LoadMore query={query} />
              </>
            )
          }
        </Loaded>
      </Panel>
      {shownId && <Result id={shownId} row={rows.find(({ id }) => id === shownId)} />}
    </>
  );
}

const Result = ({ id, row }: { id: string; row: RuleBacktest | undefined }) => (
  <Panel title={row ? `Backtest: ${periodWords(row)}, ${MODES[row.mode].toLowerCase()}` : 'Backtest'}>
    <BacktestResult key={id} id={id} />
  </Panel>
);

function StatusOf({ status, progress }: RuleBacktest) {
  const [label, tone] = BACKTEST_STATUSES[status];
  return <ToneBadge tone={tone}>{status === 'RUNNING' ? `${label}, ${progress} %` : label}</ToneBadge>;
}

const COLUMNS: Array<Column<RuleBacktest>> = [
  {
    key: 'days',
    header: 'Days',
    cell: (backtest) => (
      <span className={classes.row}>
        {periodWords(backtest)}
        <span className={classes.onPhone}>
          <StatusOf {...backtest} /> {MODES[backtest.mode]}
        </span>
      </span>
    ),
  },
  { key: 'mode', header: 'Mode', from: 'sm', cell: ({ mode }) => MODES[mode] },
  { key: 'status', header: 'Status', from: 'sm', cell: (backtest) => <StatusOf {...backtest} /> },
  {
    key: 'declined',
    header: 'Would be declined',
    align: 'right',
    cell: ({ status, approved, approvedThatWouldBeDeclined: { count } }) => (
      <span className="num">{status === 'COMPLETED' && shareWords(count, approved)}</span>
    ),
  },
  {
    key: 'requested',
    header: 'Requested',
    align: 'right',
    from: 'md',
    cell: ({ createdAt }) => <Timestamp value={createdAt} />,
  },
];
