import { IconFilterCheck } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Amount } from '../../components/amount.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/list/column.ts';
import { Table } from '../../components/list/table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import { shownValue } from './condition.ts';
import { matchesQuery, type RuleMatch } from './queries.ts';
import classes from './rule-page.module.css';
import { EFFECTS } from './words.ts';

/** The authorizations that a rule matched, newest first. */
export function Matches({ ruleId }: { ruleId: string }) {
  const { id: programId } = useProgram();
  const query = useInfiniteQuery(matchesQuery(programId, ruleId));
  return (
    <Panel title="Matches" flush>
      <Loaded query={query} outline={<TableOutline rows={5} />}>
        {({ pages }) => {
          const rows = pages.flatMap(({ results }) => results);
          if (rows.length === 0)
            return (
              <EmptyState icon={IconFilterCheck} title="No matches yet">
                Each authorization that meets the condition appears here, with what the rule saw.
              </EmptyState>
            );
          return (
            <>
              <MatchTable label="Matches" rows={rows} />
              <LoadMore query={query} />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** Each leads to its transaction. */
export function MatchTable({ label, rows }: { label: string; rows: RuleMatch[] }) {
  const { id: programId } = useProgram();
  return (
    <Table
      label={label}
      columns={COLUMNS}
      rows={rows}
      rowKey={({ id }) => id}
      linkOf={({ transactionId }) => ({
        to: '/programs/$programId/transactions/$transactionId',
        params: { programId, transactionId },
      })}
    />
  );
}

const EffectOf = ({ effect }: Pick<RuleMatch, 'effect'>) => {
  const [label, tone] = EFFECTS[effect];
  return <ToneBadge tone={tone}>{label}</ToneBadge>;
};

const sawWords = ({ values }: RuleMatch): string =>
  values
    .filter(({ result }) => result)
    .map(({ value }) => shownValue(value))
    .join(' · ');

const COLUMNS: Array<Column<RuleMatch>> = [
  {
    key: 'when',
    header: 'Date',
    cell: (match) => (
      <span className={classes.match}>
        <Timestamp value={match.createdAt} />
        <span className={classes.onPhone}>
          <EffectOf {...match} />
          {sawWords(match)}
        </span>
      </span>
    ),
  },
  { key: 'effect', header: 'Effect', from: 'sm', cell: (match) => <EffectOf {...match} /> },
  { key: 'saw', header: 'What the rule saw', from: 'md', grow: true, wraps: true, cell: sawWords },
  {
    key: 'result',
    header: 'Result',
    from: 'sm',
    cell: ({ approved }) => (approved ? 'Approved' : 'Declined'),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
];
