import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconArrowsUpDown, IconCheck, IconCopy, IconSearch } from '@tabler/icons-react';
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { TableOutline } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useProgram } from '../../lib/program.ts';
import { formatMoment, parseTime } from '../../lib/time.ts';
import type { TransactionSlice } from '../../lib/types.ts';
import { FilterBar } from './filter-bar.tsx';
import { countFilters } from './filters.ts';
import { transactionsQuery } from './queries.ts';
import { TransactionTable } from './transaction-table.tsx';
import classes from './transactions-page.module.css';

const route = getRouteApi('/programs/$programId/transactions');

export function TransactionsPage() {
  const program = useProgram();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(transactionsQuery(program.id, filters));
  return (
    <Page
      title="Transactions"
      intro="Every purchase and refund, approved or declined, newest first."
      actions={<CopyLink />}
    >
      <Panel flush>
        <FilterBar
          filters={filters}
          currency={program.currency}
          onChange={(change) => void navigate({ search: change, replace: true })}
        />
        <Loaded query={query} outline={<TableOutline rows={10} />}>
          {(data) => (
            <div aria-busy={query.isPlaceholderData} className={classes.results}>
              <Found
                programId={program.id}
                data={data}
                query={query}
                isFiltered={countFilters(filters) > 0}
              />
            </div>
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

/** The URL contains all filters: another operator sees the same list after signing in. */
function CopyLink() {
  const { copied, copy } = useClipboard({ timeout: 1500 });
  return (
    <Button
      variant="default"
      onClick={() => copy(globalThis.location.href)}
      leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
    >
      {copied ? 'Link copied' : 'Copy link to this list'}
    </Button>
  );
}

function Found({
  programId,
  data,
  query,
  isFiltered,
}: {
  programId: string;
  data: InfiniteData<TransactionSlice>;
  query: Parameters<typeof LoadMore>[0]['query'];
  isFiltered: boolean;
}) {
  const transactions = data.pages.flatMap(({ results }) => results);
  const searchedBackTo = data.pages.at(-1)?.searchedBackTo ?? null;
  const searched = searchedBackTo && formatMoment(parseTime(searchedBackTo));
  return (
    <>
      {transactions.length > 0 && <TransactionTable programId={programId} transactions={transactions} />}
      {transactions.length === 0 && !query.hasNextPage && <Nothing isFiltered={isFiltered} />}
      {isFiltered && searched && (
        <p className={classes.searched} role="status">
          {transactions.length === 0 ? 'No matches so far. ' : ''}Searched back to {searched}.
        </p>
      )}
      <LoadMore
        query={query}
        label={isFiltered ? 'Search further' : 'Show older'}
        {...(transactions.length > 0 && { end: 'No older transactions.' })}
      />
    </>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState icon={IconSearch} title="No transaction matches these filters">
        Remove a filter, or widen the date or amount range.
      </EmptyState>
    );
  return (
    <EmptyState icon={IconArrowsUpDown} title="No transactions yet">
      Purchases appear here as soon as a card is used, with the reason for each decline. In a sandbox program,
      use the simulator to create purchases.
    </EmptyState>
  );
}
