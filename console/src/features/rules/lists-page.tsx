import { Button } from '@mantine/core';
import { IconList, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/list/column.ts';
import { Table } from '../../components/list/table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { describeCategory } from '../../lib/merchant-categories.ts';
import { formatCount } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { BackToRules } from './back-to-rules.tsx';
import { type Doing, ListModal } from './list-modal.tsx';
import classes from './lists-page.module.css';
import { listsQuery, type RuleList, valuesQuery } from './queries.ts';
import { LIST_TYPES } from './words.ts';

type Change = (doing: Doing, list: RuleList | null) => void;

/** The lists that conditions use with "is in list". */
export function ListsPage() {
  const { id: programId } = useProgram();
  const mayChange = useMay('manager');
  const query = useQuery(listsQuery(programId));
  const [opened, setOpened] = useState<{ doing: Doing; list: RuleList | null } | null>(null);
  const open: Change = (doing, list) => setOpened({ doing, list });
  return (
    <Page
      title="Lists of rules"
      back={<BackToRules />}
      intro="Named lists of values, which conditions use with “is in list”. A change holds for every authorization from then on."
      actions={
        mayChange && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => open('create', null)}>
            Create list
          </Button>
        )
      }
    >
      {!mayChange && <RoleNote needed="manager" todo="Changing lists" />}
      <Panel flush>
        <Loaded query={query} outline={<TableOutline rows={7} />}>
          {(lists) =>
            lists.length === 0 ? (
              <EmptyState icon={IconList} title="No lists yet">
                A list names merchants, countries, categories or customers once, for all your rules.
              </EmptyState>
            ) : (
              <Table
                label="Lists"
                columns={COLUMNS}
                rows={lists}
                rowKey={({ name }) => name}
                detailOf={(list) => <Values list={list} {...(mayChange && { onChange: open })} />}
              />
            )
          }
        </Loaded>
      </Panel>
      {opened && <ListModal {...opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

const COLUMNS: Array<Column<RuleList>> = [
  { key: 'name', header: 'List', cell: ({ name }) => <span className={classes.name}>{name}</span> },
  { key: 'type', header: 'Values', from: 'sm', cell: ({ type }) => LIST_TYPES[type] },
  {
    key: 'size',
    header: 'Number',
    align: 'right',
    cell: ({ size }) => <span className="num">{formatCount(size)}</span>,
  },
  {
    key: 'updated',
    header: 'Changed',
    align: 'right',
    from: 'sm',
    cell: ({ updatedAt }) => (updatedAt === null ? 'Shipped with Emboss' : <Timestamp value={updatedAt} />),
  },
];

const MOST_SHOWN = 200;

function Values({ list, onChange }: { list: RuleList; onChange?: Change }) {
  const { id: programId } = useProgram();
  const query = useQuery(valuesQuery(programId, list.name));
  const words = (value: string) => (list.type === 'mcc' ? describeCategory(value) : value);
  return (
    <div className={classes.detail}>
      <Loaded query={query} outline={null}>
        {({ values }) => (
          <>
            <ul className={classes.values} aria-label={`Values of ${list.name}`}>
              {values.slice(0, MOST_SHOWN).map((value) => (
                <li key={value}>{words(value)}</li>
              ))}
            </ul>
            {values.length === 0 && <p className={classes.note}>The list is empty.</p>}
            {values.length > MOST_SHOWN && (
              <p className={classes.note}>and {formatCount(values.length - MOST_SHOWN)} more</p>
            )}
          </>
        )}
      </Loaded>
      {onChange && !list.readOnly && (
        <div className={classes.actions}>
          {ACTIONS.map(([doing, label]) => (
            <Button
              key={doing}
              size="xs"
              variant={doing === 'delete' ? 'subtle' : 'default'}
              color={doing === 'delete' ? 'red' : 'brand'}
              onClick={() => onChange(doing, list)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

const ACTIONS: Array<[Doing, string]> = [
  ['add', 'Add values'],
  ['remove', 'Remove values'],
  ['replace', 'Replace all values'],
  ['delete', 'Delete'],
];
