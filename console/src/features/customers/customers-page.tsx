import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconUsers } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/list/column.ts';
import bar from '../../components/list/filter-bar.module.css';
import { Table } from '../../components/list/table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { CustomerSummary } from '../../lib/api-types.gen.ts';
import { isCardNumber, mayBecomeCardNumber } from '../../lib/card-number.ts';
import { useProgram } from '../../lib/program.ts';
import classes from './customers-page.module.css';
import { customersQuery } from './queries.ts';

const PAUSE_MS = 150;

declare module '@tanstack/react-router' {
  interface HistoryState {
    customer?: string;
  }
}

/** All customers, or those that a search found. */
export function CustomersPage() {
  const { id: programId } = useProgram();
  const { text, setText, searched } = useSearchText();
  const query = useInfiniteQuery(customersQuery(programId, searched));
  return (
    <Page title="Customers" intro="Cards with the same customer id (meta.id) belong to one customer.">
      <Panel flush>
        <search className={bar.bar} aria-label="Customers">
          <TextInput
            type="search"
            className={classes.search ?? ''}
            label="Find a customer"
            placeholder="Name, e-mail, phone number or customer id"
            leftSection={<IconSearch size={16} />}
            autoComplete="off"
            spellCheck={false}
            maxLength={255}
            value={text}
            error={isCardNumber(text) && 'This looks like a card number. It was not sent.'}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </search>
        <Loaded query={query} outline={<TableOutline rows={8} />}>
          {({ pages }) => {
            const customers = pages.flatMap(({ results }) => results);
            if (customers.length === 0) return <Nothing searched={searched} />;
            return (
              <>
                <Table
                  label="Customers"
                  columns={COLUMNS}
                  rows={customers}
                  rowKey={({ id }) => id}
                  linkOf={({ id: customerId }) => ({
                    to: '/programs/$programId/customers/$customerId',
                    params: { programId, customerId },
                  })}
                />
                {pages.some(({ more }) => more) && (
                  <p className={classes.more}>There are more matches. Add another word of the name.</p>
                )}
                <LoadMore query={query} {...(searched === '' && { end: 'No more customers.' })} />
              </>
            );
          }}
        </Loaded>
      </Panel>
    </Page>
  );
}

const COLUMNS: Array<Column<CustomerSummary>> = [
  {
    key: 'name',
    header: 'Customer',
    cell: ({ id, name }) => (
      <span className={classes.customer}>
        <span className={classes.name}>{name}</span>
        <span className={classes.detail}>{id}</span>
      </span>
    ),
  },
  { key: 'cards', header: 'Cards', cell: (customer) => cardWords(customer) },
  {
    key: 'used',
    header: 'Last used',
    from: 'sm',
    cell: ({ lastUsed }) => (lastUsed === null ? 'Never' : <Timestamp value={lastUsed} />),
  },
  {
    key: 'created',
    header: 'Customer since',
    align: 'right',
    from: 'md',
    cell: ({ created }) => <Timestamp value={created} />,
  },
];

const cardWords = ({ cards, moreCards, activeCards }: CustomerSummary): string =>
  activeCards === cards && !moreCards
    ? `${cards} active`
    : `${activeCards} of ${cards}${moreCards ? '+' : ''} active`;

/** The text is a name: it stays out of the URL, and is kept for the way back from a customer. */
function useSearchText() {
  const { latestLocation, navigate } = useRouter();
  const [text, setText] = useState(latestLocation.state.customer ?? '');
  const [searched] = useDebouncedValue(mayBecomeCardNumber(text) ? '' : text.trim(), PAUSE_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new text is kept; the location changes on the way to a customer.
  useEffect(() => {
    if (searched !== (latestLocation.state.customer ?? ''))
      void navigate({ to: '.', replace: true, state: (state) => ({ ...state, customer: searched }) });
  }, [searched]);
  return { text, setText, searched };
}

function Nothing({ searched }: { searched: string }) {
  if (searched === '')
    return (
      <EmptyState icon={IconUsers} title="No customers yet">
        A customer is listed as soon as there is a card with its id.
      </EmptyState>
    );
  return (
    <EmptyState icon={IconSearch} title={`No customer matches “${searched}”`}>
      Names match from the beginning of a word, and one typo is tolerated. An e-mail, a phone number or an id
      must be complete.
    </EmptyState>
  );
}
