import { Button } from '@mantine/core';
import { IconDownload, IconListCheck } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import type { Column } from '../../components/list/column.ts';
import { Table } from '../../components/list/table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { RealTime } from '../../components/real-time.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { download } from '../../lib/api.ts';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { formatMoment, parseTime } from '../../lib/time.ts';
import { actorName, actorWords, fieldWords, shownChanges } from '../cards/history-words.ts';
import classes from './audit-page.module.css';
import { AuditFilterBar } from './filter-bar.tsx';
import type { AuditSearch } from './filters.ts';
import { type AuditEntry, auditQuery } from './queries.ts';
import { Target } from './target.tsx';
import { Verification } from './verification.tsx';

const route = getRouteApi('/programs/$programId/audit');

export function AuditPage() {
  const search = route.useSearch();
  const mayRead = useMay('manager');
  return (
    <Page
      title="Audit log"
      intro="Who did what, when and from where. Entries cannot be changed or removed without being noticed."
      actions={mayRead && <Export search={search} />}
    >
      {mayRead ? <Entries search={search} /> : <RoleNote needed="manager" todo="Reading the audit log" />}
    </Page>
  );
}

/** Exports what is filtered. */
function Export({ search }: { search: AuditSearch }) {
  const { id: programId } = useProgram();
  const mutation = useMutation({ mutationFn: () => download(programId, 'audit/export/', search) });
  return (
    <>
      {mutation.error && <ErrorPanel error={mutation.error} />}
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={mutation.isPending}
        onClick={() => mutation.mutate()}
      >
        Export CSV
      </Button>
    </>
  );
}

function Entries({ search }: { search: AuditSearch }) {
  const { id: programId } = useProgram();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(auditQuery(programId, search));
  const { chain: _, ...filters } = search;
  // One filter alone is read from an index; a text or several are looked for among the entries.
  const isSearched = filters.text !== undefined || Object.keys(filters).length > 1;
  return (
    <>
      <Verification chain={search.chain} />
      <Panel flush>
        <AuditFilterBar
          search={search}
          onSearch={(change) => void navigate({ search: (before) => change(before), replace: true })}
        />
        <Loaded query={query} outline={<TableOutline rows={8} />}>
          {({ pages }) => {
            const entries = pages.flatMap(({ results }) => results);
            const searchedTo = pages.at(-1)?.searchedTo;
            return (
              <>
                {entries.length > 0 ? (
                  <Table
                    label="Audit entries"
                    columns={COLUMNS}
                    rows={entries}
                    rowKey={({ id }) => id}
                    detailOf={(entry) => <Detail entry={entry} />}
                  />
                ) : (
                  <EmptyState icon={IconListCheck} title="No matching entries">
                    {query.hasNextPage
                      ? 'None so far. Older entries may match.'
                      : 'No entry matches these filters.'}
                  </EmptyState>
                )}
                {isSearched && searchedTo && (
                  <p className={classes.searched} role="status">
                    Searched up to {formatMoment(parseTime(searchedTo))}, at most 5,000 entries at a time.
                  </p>
                )}
                <LoadMore
                  query={query}
                  label={isSearched ? 'Search further' : 'Show older'}
                  end="End of the audit log."
                />
              </>
            );
          }}
        </Loaded>
      </Panel>
    </>
  );
}

const COLUMNS: Array<Column<AuditEntry>> = [
  {
    key: 'created',
    header: 'Time',
    cell: ({ created }) => <RealTime value={created} absolute />,
  },
  {
    key: 'action',
    header: 'Action',
    grow: true,
    wraps: true,
    cell: ({ words, target, actor }) => (
      <>
        {words}
        <span className={classes.onPhone}>
          {target && (
            <>
              <Target target={target} /> ·{' '}
            </>
          )}
          {actorName(actor)}
        </span>
      </>
    ),
  },
  {
    key: 'target',
    header: 'What was touched',
    from: 'sm',
    wraps: true,
    cell: ({ target }) => (
      <span className={classes.wrap}>
        <Target target={target} />
      </span>
    ),
  },
  {
    key: 'actor',
    header: 'Person or key',
    from: 'sm',
    wraps: true,
    cell: ({ actor }) => (
      <span className={classes.wrap}>
        {actorName(actor)}
        {actorWords(actor.kind)}
      </span>
    ),
  },
];

/** What was changed or recorded. */
function Detail({ entry }: { entry: AuditEntry }) {
  const { id: programId, currency } = useProgram();
  const { id, action, actor, cardId, reason, changes, facts, requestId, address } = entry;
  return (
    <dl className={classes.detail}>
      <Fact label="Action">
        <span className="mono">{action}</span>
      </Fact>
      <Fact label="Person or key">
        {actor.name}
        {actorWords(actor.kind)}
      </Fact>
      {cardId && (
        <Fact label="Card">
          <Link to="/programs/$programId/cards/$cardId" params={{ programId, cardId }} className="mono">
            {cardId}
          </Link>
        </Fact>
      )}
      {reason && <Fact label="Reason">{reason}</Fact>}
      {shownChanges(changes, currency).map(({ field, before, after }) => (
        <Fact key={field} label={fieldWords(field)}>
          {before !== undefined && (
            <>
              <del>{before}</del> <span aria-hidden="true">→</span>{' '}
            </>
          )}
          <ins>{after}</ins>
        </Fact>
      ))}
      {facts.map(({ field, value }) => (
        <Fact key={field} label={fieldWords(field)}>
          {value}
        </Fact>
      ))}
      {address && (
        <Fact label="Address">
          <span className="mono">{address}</span>
        </Fact>
      )}
      {requestId && (
        <Fact label="Request">
          <span className="mono">{requestId}</span>
        </Fact>
      )}
      <Fact label="Entry">
        <span className="mono">{id}</span>
      </Fact>
    </dl>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
