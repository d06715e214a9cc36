import { IconSearch } from '@tabler/icons-react';
import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import type { RowSelectionState } from '@tanstack/react-table';
import { type ReactNode, useMemo, useState } from 'react';
import { useProgram } from '../../lib/program.ts';
import { formatMoment, parseTime } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import { EmptyState } from '../empty-state.tsx';
import { LoadMore } from '../load-more.tsx';
import { Loaded } from '../loaded.tsx';
import { Panel } from '../page.tsx';
import { TableOutline } from '../table-outline.tsx';
import type { Filter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import classes from './list.module.css';
import { type HeadProps, ListHead } from './list-head.tsx';
import { countQuery, type Found, listQuery } from './queries.ts';
import { countFilters, toQuery } from './search.ts';
import { useShownColumns } from './shown-columns.ts';
import { Table } from './table.tsx';

export interface ListProps<Row> extends HeadProps<Row> {
  /** The name of the table. */
  label: string;
  filters: Filter[];
  rowKey: (row: Row) => string;
  linkOf?: (row: Row) => LinkProps;
  detailOf?: (row: Row) => ReactNode;
  nameOf?: (row: Row) => string;
  /** Actions on the selected rows. Without it no rows can be selected. */
  bulk?: ((rows: Row[], clear: () => void) => ReactNode) | undefined;
  /** Shown if there are no records at all. */
  empty: ReactNode;
  /** The pause until the next refresh. Default: the list is not refreshed. */
  refreshMs?: (rows: Row[]) => number;
  /** The heading of the panel. */
  title?: string;
  actions?: ReactNode;
}

/** The list of cards, transactions and events: filters, count, columns, selection and a link to the same list. */
export function List<Row extends object>(props: ListProps<Row>) {
  const { list, search, onSearch, refreshMs } = props;
  const { id: programId } = useProgram();
  const queryParams = toQuery(search, useNow());
  const rows = useInfiniteQuery(listQuery<Row>(programId, list, queryParams, refreshMs));
  const count = useQuery(countQuery(programId, list, queryParams));
  const [shown, show] = useShownColumns(list, props.columns);
  return (
    <Panel {...(props.title && { title: props.title })} actions={props.actions} flush>
      <FilterBar filters={props.filters} search={search} onSearch={onSearch} />
      <ListHead {...props} queryParams={queryParams} count={count.data} shown={shown} onShow={show} />
      <Loaded query={rows} outline={<TableOutline rows={10} />}>
        {(data) => (
          <div aria-busy={rows.isPlaceholderData} className={classes.results}>
            <Results {...props} data={data} query={rows} shown={shown} />
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

function Results<Row extends object>(
  props: ListProps<Row> & {
    data: InfiniteData<Found<Row>>;
    query: Parameters<typeof LoadMore>[0]['query'];
    shown: string[];
  },
) {
  const { label, nouns, search, onSearch, columns, rowKey, bulk, data, query } = props;
  const rows = useMemo(() => data.pages.flatMap(({ results }) => results), [data]);
  const [selected, setSelected] = useState<RowSelectionState>({});
  const chosen = rows.filter((row) => selected[rowKey(row)]);
  const searchedTo = data.pages.at(-1)?.searchedTo ?? null;
  const isFiltered = countFilters(search) > 0;
  if (rows.length === 0 && !query.hasNextPage) return isFiltered ? <Nothing noun={nouns[0]} /> : props.empty;
  return (
    <>
      {bulk && chosen.length > 0 && (
        <section className={classes.bulk} aria-label="Selection">
          <strong>{chosen.length} selected</strong>
          {bulk(chosen, () => setSelected({}))}
        </section>
      )}
      {rows.length > 0 && (
        <Table
          label={label}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          linkOf={props.linkOf}
          detailOf={props.detailOf}
          nameOf={props.nameOf}
          shown={props.shown}
          selection={bulk && { selected, onSelect: setSelected }}
          sort={{
            oldestFirst: search.order === 'oldest',
            onSort: (oldestFirst) =>
              onSearch(({ order: _, ...others }) => (oldestFirst ? { ...others, order: 'oldest' } : others)),
          }}
        />
      )}
      {isFiltered && searchedTo && (
        <p className={classes.searched} role="status">
          {rows.length === 0 ? 'No matches so far. ' : ''}Searched up to {formatMoment(parseTime(searchedTo))}
          .
        </p>
      )}
      <LoadMore
        query={query}
        label={isFiltered ? 'Search further' : 'Show more'}
        {...(rows.length > 0 && { end: `No more ${nouns[1]}.` })}
      />
    </>
  );
}

const Nothing = ({ noun }: { noun: string }) => (
  <EmptyState icon={IconSearch} title={`No ${noun} matches these filters`}>
    Remove a filter, or widen a range.
  </EmptyState>
);
