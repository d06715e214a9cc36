import type { CardBatch } from '@emboss/sdk';
import { IconFileText } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/list/column.ts';
import { Table } from '../../components/list/table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import { BatchButton } from './batch-button.tsx';
import { FailedRows } from './failed-rows.tsx';
import { batchesQuery } from './use-batch.ts';

/** The card batches of files and of servers, each with the rows that failed. */
export function BatchesPage() {
  const { id: programId } = useProgram();
  const query = useInfiniteQuery(batchesQuery(programId));
  return (
    <Page
      title="Card batches"
      back={
        <Link to="/programs/$programId/cards" params={{ programId }}>
          Cards
        </Link>
      }
      intro="Cards that were created many at once, from a file or through the API."
      actions={<BatchButton />}
    >
      <Panel flush>
        <Loaded query={query} outline={<TableOutline rows={4} />}>
          {({ pages }) => {
            const batches = pages.flatMap(({ results }) => results);
            return batches.length === 0 ? (
              <EmptyState icon={IconFileText} title="No card batches yet">
                Managers create up to 1,000 cards from a CSV file, and servers through the API.
              </EmptyState>
            ) : (
              <>
                <Table
                  label="Card batches"
                  columns={COLUMNS}
                  rows={batches}
                  rowKey={({ id }) => id}
                  detailOf={(batch) => <FailedRows batch={batch} />}
                />
                <LoadMore query={query} end="No more card batches." />
              </>
            );
          }}
        </Loaded>
      </Panel>
    </Page>
  );
}

const COLUMNS: Array<Column<CardBatch>> = [
  {
    key: 'created',
    header: 'Sent',
    cell: ({ createdAt }) => <Timestamp value={createdAt} />,
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status }) =>
      status === 'COMPLETED' ? (
        <ToneBadge tone="good">Completed</ToneBadge>
      ) : (
        <ToneBadge tone="warn">In progress</ToneBadge>
      ),
  },
  {
    key: 'cards',
    header: 'Cards created',
    align: 'right',
    from: 'sm',
    cell: ({ created, total }) => (
      <span className="num">
        {formatCount(created)} of {formatCount(total)}
      </span>
    ),
  },
  {
    key: 'failed',
    header: 'Failed rows',
    align: 'right',
    cell: ({ failed }) => <span className="num">{formatCount(failed)}</span>,
  },
];
