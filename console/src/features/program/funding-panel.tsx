import { IconCash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Amount } from '../../components/amount.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/list/column.ts';
import { Table } from '../../components/list/table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { Funding } from '../../lib/api-types.gen.ts';
import { useProgram } from '../../lib/program.ts';
import { actorName } from '../cards/history-words.ts';
import classes from './funding-panel.module.css';
import { fundingQuery } from './queries.ts';

export function FundingPanel() {
  const { id, currency } = useProgram();
  const query = useInfiniteQuery(fundingQuery(id));
  return (
    <Panel title="Funding history" flush>
      <Loaded query={query} outline={<TableOutline rows={3} />}>
        {({ pages }) => {
          const rows = pages.flatMap(({ results }) => results);
          return rows.length === 0 ? (
            <EmptyState icon={IconCash} title="No funding yet">
              Deposits to the master account and withdrawals from it appear here, with who made them.
            </EmptyState>
          ) : (
            <>
              <Table
                label="Funding history"
                columns={columnsOf(currency)}
                rows={rows}
                rowKey={(row) => row.id}
              />
              <LoadMore query={query} />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

const columnsOf = (currency: string): Array<Column<Funding>> => [
  {
    key: 'when',
    header: 'Date',
    cell: ({ created, reference }) => (
      <>
        <Timestamp value={created} absolute />
        <span className={classes.onPhone}>{reference}</span>
      </>
    ),
  },
  {
    key: 'reference',
    header: 'Reference',
    grow: true,
    from: 'sm',
    cell: ({ reference }) => <span className={classes.reference}>{reference}</span>,
  },
  { key: 'by', header: 'By', from: 'md', cell: ({ actor }) => actorName(actor) },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount }) => <Amount value={amount} currency={currency} signed />,
  },
  {
    key: 'available',
    header: 'Available after',
    align: 'right',
    from: 'sm',
    cell: ({ available }) => <Amount value={available} currency={currency} />,
  },
];
