import { IconArrowsUpDown } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { List } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { SimulatorHint } from '../../components/simulator-hint.tsx';
import { useProgram } from '../../lib/program.ts';
import type { TransactionDetail } from '../../lib/types.ts';
import { transactionFilters } from './filter-fields.ts';
import { transactionColumns } from './transaction-columns.tsx';

const DeclineDrawer = lazy(() => import('./decline-drawer.tsx'));

const route = getRouteApi('/programs/$programId/transactions');

export function TransactionsPage() {
  const { id: programId, currency } = useProgram();
  const navigate = route.useNavigate();
  const { explain, ...search } = route.useSearch();
  const columns = useMemo(() => transactionColumns(programId), [programId]);
  return (
    <Page title="Transactions" intro="Every purchase and refund, approved or declined.">
      <List<TransactionDetail>
        list="transactions"
        label="Transactions"
        nouns={['transaction', 'transactions']}
        filters={transactionFilters(currency)}
        search={search}
        onSearch={(change) => void navigate({ search: change, replace: true })}
        columns={columns}
        rowKey={({ id }) => id}
        linkOf={({ id }) => ({
          to: '/programs/$programId/transactions/$transactionId',
          params: { programId, transactionId: id },
        })}
        empty={
          <EmptyState icon={IconArrowsUpDown} title="No transactions yet">
            Purchases appear here as soon as a card is used, with the reason for each decline.
            <SimulatorHint />
          </EmptyState>
        }
      />
      {explain && (
        <Suspense>
          <DeclineDrawer
            transactionId={explain}
            onClose={() =>
              void navigate({
                search: ({ explain: _, ...before }) => before,
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Suspense>
      )}
    </Page>
  );
}
