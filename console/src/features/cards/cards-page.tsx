import { IconCreditCard, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Column, DataTable, TableOutline } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import type { Card, SearchResult } from '../../lib/types.ts';
import { matchedWords, searchQuery } from '../search/queries.ts';
import { SearchHints } from '../search/search-hints.tsx';
import classes from './cards-page.module.css';
import { DesignName } from './design-name.tsx';
import { newestCardsQuery } from './queries.ts';

const route = getRouteApi('/programs/$programId/cards');

const COLUMNS: Array<Column<Card>> = [
  {
    key: 'holder',
    header: 'Cardholder',
    cell: (card) => (
      <span className={classes.holder}>
        <span className={classes.name}>{card.cardholderName}</span>
        <span className={`${classes.detail} num`}>
          •••• {card.lastFour} · {card.externalCustomerId}
        </span>
      </span>
    ),
  },
  { key: 'status', header: 'Status', cell: (card) => <StatusBadge status={card.status} /> },
  {
    key: 'type',
    header: 'Type',
    from: 'sm',
    cell: (card) => (card.cardType === 'virtual' ? 'Virtual' : 'Physical'),
  },
  { key: 'design', header: 'Design', from: 'md', cell: (card) => <DesignName id={card.cardDesign} /> },
  {
    key: 'created',
    header: 'Created',
    align: 'right',
    from: 'sm',
    cell: (card) => <Timestamp value={card.created} />,
  },
];

/** The newest cards, or the results of a search. */
export function CardsPage() {
  const { q } = route.useSearch();
  return q === undefined ? <NewestCards /> : <FoundCards q={q} />;
}

const linkTo = (programId: string) => (card: Card) =>
  ({ to: '/programs/$programId/cards/$cardId', params: { programId, cardId: card.id } }) as const;

function NewestCards() {
  const { id: programId, mode } = useProgram();
  const query = useInfiniteQuery(newestCardsQuery(programId));
  const count = query.data?.pages[0]?.count;
  return (
    <Page
      title="Cards"
      intro={
        count === undefined
          ? 'Newest first.'
          : `${formatCount(count)} ${count === 1 ? 'card' : 'cards'}, newest first. Press / to find one.`
      }
    >
      <Panel flush>
        <Loaded query={query} outline={<TableOutline />}>
          {({ pages }) =>
            pages[0]?.results.length === 0 ? (
              <EmptyState icon={IconCreditCard} title="No cards yet">
                {mode === 'sandbox' ? (
                  <>
                    Cards are created through the API. The README shows how to create one with curl, and{' '}
                    <code>emboss demo</code> creates a demo program with cardholders and purchases.
                  </>
                ) : (
                  'Cards are created through the API and listed here, newest first.'
                )}
              </EmptyState>
            ) : (
              <>
                <DataTable
                  label="Cards, newest first"
                  columns={COLUMNS}
                  rows={pages.flatMap(({ results }) => results)}
                  rowKey={({ id }) => id}
                  linkOf={linkTo(programId)}
                />
                <LoadMore query={query} />
              </>
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

const foundColumns = (q: string): Array<Column<SearchResult>> => [
  ...COLUMNS.map(({ cell, ...column }) => ({ ...column, cell: ({ card }: SearchResult) => cell(card) })),
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
  return (
    <Page title={`Cards that match “${q}”`} tabTitle={`${q}: cards`}>
      <Panel flush>
        <Loaded query={query} outline={<TableOutline />}>
          {({ results, more }) =>
            results.length === 0 ? (
              <EmptyState icon={IconSearch} title={`No card matches “${q}”`} action={<SearchHints />}>
                Nothing was found in this program. Check the spelling, or search by something else:
              </EmptyState>
            ) : (
              <>
                <DataTable
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
    </Page>
  );
}
