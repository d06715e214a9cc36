import { Button, VisuallyHidden } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ChoiceSelect } from '../../components/choice-select.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/list/column.ts';
import { Table } from '../../components/list/table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { RealTime } from '../../components/real-time.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { formatMoney } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import { useMay, useSession } from '../../lib/session.ts';
import { termsQuery } from '../program/queries.ts';
import { approvalWords, referenceOf } from './approval-words.ts';
import classes from './approvals-page.module.css';
import { DecideModal, type Doing } from './decide-modal.tsx';
import { type Approval, approvalsQuery } from './queries.ts';
import { Standing } from './standing.tsx';
import { STATUS_FILTERS, type StatusFilter } from './status-filter.ts';

const route = getRouteApi('/programs/$programId/approvals');

export function ApprovalsPage() {
  return (
    <Page
      title="Approvals"
      intro="Money that one person requested and a second person decides. A person cannot approve their own request."
    >
      {useMay('manager') ? <Requests /> : <RoleNote needed="manager" todo="Reading approvals" />}
    </Page>
  );
}

function Requests() {
  const { id: programId, currency } = useProgram();
  const { status = 'PENDING' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(approvalsQuery(programId, status));
  const [chosen, setChosen] = useState<{ approval: Approval; doing: Doing } | null>(null);
  const columns = useColumns(currency, (approval, doing) => setChosen({ approval, doing }));
  return (
    <Panel flush>
      <search className={classes.filters} aria-label="Filters">
        <ChoiceSelect
          label="Status"
          data={(Object.keys(STATUS_FILTERS) as StatusFilter[]).map((value) => ({
            value,
            label: STATUS_FILTERS[value],
          }))}
          value={status}
          onChange={(value) =>
            void navigate({ search: value === 'PENDING' ? {} : { status: value }, replace: true })
          }
        />
      </search>
      <Loaded query={query} outline={<TableOutline rows={4} />}>
        {({ pages }) => {
          const rows = pages.flatMap(({ results }) => results);
          return (
            <>
              {rows.length > 0 ? (
                <Table label="Approvals" columns={columns} rows={rows} rowKey={({ id }) => id} />
              ) : (
                <None status={status} />
              )}
              <LoadMore query={query} />
            </>
          );
        }}
      </Loaded>
      {chosen && <DecideModal {...chosen} onClose={() => setChosen(null)} />}
    </Panel>
  );
}

function None({ status }: { status: StatusFilter }) {
  const { id: programId, currency } = useProgram();
  const above = useQuery(termsQuery(programId)).data?.secondPersonAbove;
  return (
    <EmptyState
      icon={IconUserCheck}
      title={status === 'PENDING' ? 'Nothing waits for a second person' : 'No such requests'}
    >
      {above === null ? (
        <>
          The program needs no second person. An administrator sets the amount on the page{' '}
          <Link to="/programs/$programId/program" params={{ programId }}>
            Program
          </Link>
          .
        </>
      ) : (
        above !== undefined &&
        `Money that an operator moves above ${formatMoney(above, currency)}, and each change of fees, waits here until another operator approves it.`
      )}
    </EmptyState>
  );
}

function useColumns(
  currency: string,
  onChoose: (approval: Approval, doing: Doing) => void,
): Array<Column<Approval>> {
  const you = useSession().operator.id;
  const nameOf = ({ id, name }: Approval['requestedBy']) => (id === you ? `${name} (you)` : name);
  return [
    {
      key: 'what',
      header: 'Request',
      cell: (approval) => (
        <span className={classes.lines}>
          <What approval={approval} words={approvalWords(approval, currency)} />
          {referenceOf(approval) && <span className={classes.small}>{referenceOf(approval)}</span>}
          <span className={classes.onPhone}>
            {nameOf(approval.requestedBy)}
            <Standing approval={approval} you={you} />
          </span>
        </span>
      ),
    },
    {
      key: 'by',
      header: 'Requested by',
      from: 'sm',
      cell: ({ requestedBy, requested }) => (
        <span className={`${classes.lines} ${classes.whole}`}>
          {nameOf(requestedBy)}
          <span className={classes.small}>
            <RealTime value={requested} />
          </span>
        </span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      from: 'sm',
      cell: (approval) => <Standing approval={approval} you={you} />,
    },
    {
      key: 'actions',
      header: <VisuallyHidden>Actions</VisuallyHidden>,
      align: 'right',
      cell: (approval) => <Actions approval={approval} onChoose={(doing) => onChoose(approval, doing)} />,
    },
  ];
}

function What({ approval: { cardId }, words }: { approval: Approval; words: string }) {
  const { id: programId } = useProgram();
  if (cardId === null) return <strong className={classes.what}>{words}</strong>;
  return (
    <Link
      to="/programs/$programId/cards/$cardId"
      params={{ programId, cardId }}
      className={classes.what ?? ''}
    >
      {words}
    </Link>
  );
}

function Actions({
  approval: { mayDecide, mayWithdraw },
  onChoose,
}: {
  approval: Approval;
  onChoose: (doing: Doing) => void;
}) {
  if (mayWithdraw)
    return (
      <Button size="xs" variant="default" onClick={() => onChoose('withdraw')}>
        Withdraw request
      </Button>
    );
  if (!mayDecide) return null;
  return (
    <div className={classes.actions}>
      <Button size="xs" onClick={() => onChoose('approve')}>
        Approve
      </Button>
      <Button size="xs" variant="default" onClick={() => onChoose('reject')}>
        Reject
      </Button>
    </div>
  );
}
