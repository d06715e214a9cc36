import { Button } from '@mantine/core';
import { IconFilterCheck, IconList, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChoiceSelect, choicesOf } from '../../components/choice-select.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/list/column.ts';
import bar from '../../components/list/filter-bar.module.css';
import { Table } from '../../components/list/table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { type Rule, rulesQuery } from './queries.ts';
import classes from './rules-page.module.css';
import { subjectWords } from './subject-words.ts';
import { ACTIONS, STATUS_TONES, STATUSES } from './words.ts';

const route = getRouteApi('/programs/$programId/rules');

/** The program's rules, newest first. */
export function RulesPage() {
  const { id: programId } = useProgram();
  const mayChange = useMay('manager');
  return (
    <Page
      title="Rules"
      intro="Your own rules for authorizations. A new rule runs in shadow: it shows what it would do, until you promote it."
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconList size={16} />}
            renderRoot={(props) => (
              <Link to="/programs/$programId/rules/lists" params={{ programId }} {...props} />
            )}
          >
            Lists
          </Button>
          {mayChange && <CreateRule programId={programId} />}
        </>
      }
    >
      {!mayChange && <RoleNote needed="manager" todo="Changing rules" />}
      <Rules />
    </Page>
  );
}

const CreateRule = ({ programId }: { programId: string }) => (
  <Button
    leftSection={<IconPlus size={16} />}
    renderRoot={(props) => <Link to="/programs/$programId/rules/new" params={{ programId }} {...props} />}
  >
    Create rule
  </Button>
);

function Rules() {
  const { id: programId } = useProgram();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(rulesQuery(programId, search));
  const isFiltered = search.status !== undefined || search.action !== undefined;
  const select = (name: 'status' | 'action', label: string, choices: Record<string, string>) => (
    <ChoiceSelect<string>
      label={label}
      data={[{ value: '', label: 'Any' }, ...choicesOf(choices)]}
      value={search[name] ?? ''}
      onChange={(value) =>
        void navigate({
          search: ({ [name]: _, ...others }) => (value === '' ? others : { ...others, [name]: value }),
          replace: true,
        })
      }
    />
  );
  return (
    <Panel flush>
      <search className={bar.bar} aria-label="Filters">
        <div className={bar.row}>
          {select('status', 'Status', STATUSES)}
          {select('action', 'Action', ACTIONS)}
        </div>
      </search>
      <Loaded query={query} outline={<TableOutline rows={6} />}>
        {({ pages }) => {
          const rules = pages.flatMap(({ results }) => results);
          if (rules.length === 0)
            return (
              <EmptyState
                icon={IconFilterCheck}
                title={isFiltered ? 'No rule matches these filters' : 'No rules yet'}
              >
                {isFiltered
                  ? 'Remove a filter.'
                  : 'A rule declines or flags purchases by a condition: gambling, cash abroad, five purchases in an hour.'}
              </EmptyState>
            );
          return (
            <>
              <Table
                label="Rules"
                columns={COLUMNS}
                rows={rules}
                rowKey={({ id }) => id}
                linkOf={({ id }) => ({
                  to: '/programs/$programId/rules/$ruleId',
                  params: { programId, ruleId: id },
                })}
              />
              <LoadMore query={query} />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

const StatusOf = ({ status }: Pick<Rule, 'status'>) => (
  <ToneBadge tone={STATUS_TONES[status]}>{STATUSES[status]}</ToneBadge>
);

const COLUMNS: Array<Column<Rule>> = [
  {
    key: 'name',
    header: 'Rule',
    cell: ({ name, action, status }) => (
      <span className={classes.rule}>
        <span className={classes.name}>{name}</span>
        <span className={classes.onPhone}>
          {ACTIONS[action]} <StatusOf status={status} />
        </span>
      </span>
    ),
  },
  { key: 'status', header: 'Status', from: 'sm', cell: (rule) => <StatusOf {...rule} /> },
  { key: 'action', header: 'Action', from: 'sm', cell: ({ action }) => ACTIONS[action] },
  { key: 'cards', header: 'Applies to', from: 'md', cell: ({ appliesTo }) => subjectWords(appliesTo) },
  {
    key: 'priority',
    header: 'Priority',
    align: 'right',
    from: 'md',
    cell: ({ priority }) => <span className="num">{priority}</span>,
  },
  {
    key: 'created',
    header: 'Created',
    align: 'right',
    from: 'sm',
    cell: ({ createdAt }) => <Timestamp value={createdAt} />,
  },
];
