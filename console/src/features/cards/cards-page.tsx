import { Button } from '@mantine/core';
import { IconCreditCard, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/list/column.ts';
import { List } from '../../components/list/list.tsx';
import { Table } from '../../components/list/table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { formatUtcDay } from '../../lib/time.ts';
import type { Card, FoundCard, SearchResult } from '../../lib/types.ts';
import { FoundTransactions } from '../search/found-transactions.tsx';
import { matchedWords, searchQuery } from '../search/queries.ts';
import { SearchHints } from '../search/search-hints.tsx';
import { BatchButton } from './batch-button.tsx';
import { BulkActions } from './bulk-actions.tsx';
import type { BulkOutcome } from './bulk-kinds.ts';
import { cardFilters } from './card-filters.ts';
import classes from './cards-page.module.css';
import { CreateCardButton } from './create-card-button.tsx';
import { DesignName } from './design-name.tsx';
import { designsQuery } from './queries.ts';

const BulkResults = lazy(() => import('./bulk-results.tsx'));

const route = getRouteApi('/programs/$programId/cards');

const COLUMNS: Array<Column<Card>> = [
  {
    key: 'holder',
    header: 'Cardholder',
    cell: (card) => (
      <span className={classes.holder}>
        <span className={classes.name}>{card.cardholderName}</span>
        <span className={`${classes.detail} num`}>
          ••••&nbsp;{card.lastFour} · <span className={classes.id}>{card.externalCustomerId}</span>
        </span>
      </span>
    ),
  },
  { key: 'status', header: 'Status', cell: (card) => <StatusBadge status={card.status} /> },
  {
    key: 'type',
    header: 'Type',
    from: 'md',
    cell: (card) => (card.cardType === 'virtual' ? 'Virtual' : 'Physical'),
  },
  { key: 'design', header: 'Design', extra: true, cell: (card) => <DesignName id={card.cardDesign} /> },
  {
    key: 'created',
    header: 'Created',
    align: 'right',
    from: 'md',
    sorts: true,
    cell: (card) => <Timestamp value={card.created} />,
  },
  {
    key: 'customer',
    header: 'Customer id',
    extra: true,
    cell: ({ externalCustomerId }) => externalCustomerId,
  },
  { key: 'currency', header: 'Currency', extra: true, cell: ({ currency }) => currency },
  { key: 'id', header: 'Card id', extra: true, cell: ({ id }) => <span className="mono nowrap">{id}</span> },
];

/** What a list has of each card beside it. */
const MORE_COLUMNS: Array<Column<FoundCard>> = [
  {
    key: 'available',
    header: 'Available credit',
    align: 'right',
    from: 'sm',
    cell: ({ availableCredit, currency }) => <Amount value={availableCredit} currency={currency} />,
  },
  {
    key: 'expiry',
    header: 'Expires',
    from: 'lg',
    cell: ({ expiryDate }) => <span className="nowrap">{formatUtcDay(expiryDate)}</span>,
  },
  {
    key: 'used',
    header: 'Last used',
    from: 'md',
    cell: ({ lastUsed }) =>
      lastUsed ? <Timestamp value={lastUsed} /> : <span className={classes.never}>Never</span>,
  },
];
const LIST_COLUMNS: Array<Column<FoundCard>> = [...COLUMNS.slice(0, 2), ...MORE_COLUMNS, ...COLUMNS.slice(2)];

/** The cards, or the results of a search. */
export function CardsPage() {
  const { q } = route.useSearch();
  return q === undefined ? <AllCards /> : <FoundCards q={q} />;
}

const linkTo = (programId: string) => (card: Card) =>
  ({ to: '/programs/$programId/cards/$cardId', params: { programId, cardId: card.id } }) as const;

function BatchesLink() {
  const { id: programId } = useProgram();
  return (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link to="/programs/$programId/card-batches" params={{ programId }} {...props} />
      )}
    >
      Card batches
    </Button>
  );
}

function AllCards() {
  const { id: programId, mode } = useProgram();
  const navigate = route.useNavigate();
  const { q: _, ...search } = route.useSearch();
  const mayChange = useMay('support');
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const designs = useQuery(designsQuery(programId)).data ?? [];
  return (
    <Page
      title="Cards"
      intro="Search above by name, customer or number."
      actions={
        <>
          <BatchesLink />
          <BatchButton />
          <CreateCardButton />
        </>
      }
    >
      <List<FoundCard>
        list="cards"
        label="Cards"
        nouns={['card', 'cards']}
        filters={cardFilters(designs)}
        search={search}
        onSearch={(change) => void navigate({ search: change, replace: true })}
        columns={LIST_COLUMNS}
        rowKey={({ id }) => id}
        nameOf={({ cardholderName, lastFour }) => `${cardholderName}, ${lastFour}`}
        linkOf={linkTo(programId)}
        bulk={
          mayChange
            ? (cards, clear) => (
                <BulkActions
                  cards={cards}
                  onDone={(done) => {
                    setOutcome(done);
                    clear();
                  }}
                />
              )
            : undefined
        }
        empty={
          <EmptyState icon={IconCreditCard} title="No cards yet">
            {mode === 'sandbox' ? (
              <>
                Managers create cards here, and servers through the API. <code>emboss demo</code> creates a
                demo program with cardholders and purchases.
              </>
            ) : (
              'Managers create cards here, and servers through the API.'
            )}
          </EmptyState>
        }
      />
      {outcome && (
        <Suspense>
          <BulkResults {...outcome} onClose={() => setOutcome(null)} />
        </Suspense>
      )}
    </Page>
  );
}

const foundColumns = (q: string): Array<Column<SearchResult>> => [
  ...COLUMNS.filter(({ extra }) => !extra).map(({ cell, ...column }) => ({
    ...column,
    cell: ({ card }: SearchResult) => cell(card),
  })),
  { key: 'matched', header: 'Matched by', from: 'sm', cell: (result) => matchedWords(result, q) },
];

/** A search for a transaction's id links to the transaction. */
const foundLink =
  (programId: string) =>
  ({ card, transactionId }: SearchResult) =>
    transactionId
      ? ({
          to: '/programs/$programId/transactions/$transactionId',
          params: { programId, transactionId },
        } as const)
      : linkTo(programId)(card);

function FoundCards({ q }: { q: string }) {
  const { id: programId } = useProgram();
  const query = useQuery(searchQuery(programId, q));
  const { results: cards, transactions } = query.data ?? {};
  const onlyTransactions = cards?.length === 0 && transactions?.length !== 0;
  return (
    <Page title={`Results for “${q}”`} tabTitle={`${q}: results`}>
      {query.data && <FoundTransactions programId={programId} found={query.data} />}
      {!onlyTransactions && (
        <Panel flush>
          <Loaded query={query} outline={<TableOutline />}>
            {({ results, more }) =>
              results.length === 0 ? (
                <EmptyState icon={IconSearch} title={`No match for “${q}”`} action={<SearchHints />}>
                  Nothing was found in this program. Check the spelling, or search by something else:
                </EmptyState>
              ) : (
                <>
                  <Table
                    label="Cards found"
                    columns={foundColumns(q)}
                    rows={results}
                    rowKey={({ card }) => card.id}
                    linkOf={foundLink(programId)}
                  />
                  {more && (
                    <p className={classes.more}>
                      There are more matches. Add another word of the name, or search by the card's last four
                      digits.
                    </p>
                  )}
                </>
              )
            }
          </Loaded>
        </Panel>
      )}
    </Page>
  );
}
