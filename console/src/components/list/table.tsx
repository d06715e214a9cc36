import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronRight } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import {
  type ColumnDef,
  columnVisibilityFeature,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type Dispatch, Fragment, type ReactNode, type SetStateAction, useMemo, useState } from 'react';
import type { Column } from './column.ts';
import classes from './table.module.css';

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature });

export interface Selection {
  selected: RowSelectionState;
  onSelect: Dispatch<SetStateAction<RowSelectionState>>;
}

export interface Sort {
  oldestFirst: boolean;
  onSort: (oldestFirst: boolean) => void;
}

interface TableProps<Row> {
  label: string;
  columns: Array<Column<Row>>;
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The whole row is one link, which begins in its first cell. */
  linkOf?: ((row: Row) => LinkProps) | undefined;
  /** The row opens on a click and shows this below. */
  detailOf?: ((row: Row) => ReactNode) | undefined;
  /** The row's name, for its checkbox. */
  nameOf?: ((row: Row) => string) | undefined;
  selection?: Selection | undefined;
  sort?: Sort | undefined;
  /** Keys of the columns to show. Default: all. */
  shown?: readonly string[] | undefined;
}

/** A table. Its head stays visible while the page scrolls. */
export function Table<Row extends object>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, selection, shown } = props;
  const byKey = useMemo(() => new Map(columns.map((column) => [column.key, column])), [columns]);
  const definitions = useMemo(
    () =>
      columns.map(
        ({ key, cell }): ColumnDef<typeof features, Row> => ({
          id: key,
          cell: ({ row }) => cell(row.original),
        }),
      ),
    [columns],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowKey,
    enableRowSelection: selection !== undefined,
    onRowSelectionChange: (change) => selection?.onSelect(change),
    state: {
      rowSelection: selection?.selected ?? {},
      columnVisibility: Object.fromEntries(columns.map(({ key }) => [key, shown?.includes(key) ?? true])),
    },
  });
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpened(
      (before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]),
    );
  const visible = table.getVisibleLeafColumns().map(({ id }) => byKey.get(id) as Column<Row>);
  const growing = visible.find(({ grow }) => grow) ?? visible[0];
  const isFit = (column: Column<Row>) => (column !== growing && !column.wraps) || undefined;
  return (
    <div className={classes.scroll} data-wide={visible.some(({ extra }) => extra) || undefined}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={classes.check}>
                <Checkbox
                  aria-label="Select all rows shown"
                  checked={rows.length > 0 && table.getIsAllRowsSelected()}
                  indeterminate={table.getIsSomeRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
            )}
            {visible.map((column) => (
              <Head key={column.key} column={column} isFit={isFit(column)} sort={props.sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <Fragment key={row.id}>
              <tr
                data-link={props.linkOf || props.detailOf ? true : undefined}
                data-selected={row.getIsSelected() || undefined}
              >
                {selection && (
                  <td className={classes.check}>
                    <Checkbox
                      aria-label={`Select ${props.nameOf?.(row.original) ?? row.id}`}
                      checked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  </td>
                )}
                {row.getVisibleCells().map((cell, index) => {
                  const column = byKey.get(cell.column.id) as Column<Row>;
                  const content = <table.FlexRender cell={cell} />;
                  return (
                    <td
                      key={cell.id}
                      data-align={column.align}
                      data-from={column.from}
                      data-fit={isFit(column)}
                    >
                      {index > 0 ? (
                        content
                      ) : (
                        <First
                          {...props}
                          row={row.original}
                          isOpen={opened.has(row.id)}
                          onToggle={() => toggle(row.id)}
                        >
                          {content}
                        </First>
                      )}
                    </td>
                  );
                })}
              </tr>
              {props.detailOf && opened.has(row.id) && (
                <tr className={classes.detail}>
                  <td colSpan={visible.length + (selection ? 1 : 0)}>{props.detailOf(row.original)}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({
  column,
  isFit,
  sort,
}: {
  column: Column<Row>;
  isFit: true | undefined;
  sort: Sort | undefined;
}) {
  const { header, align, from, sorts } = column;
  const attributes = { scope: 'col', 'data-align': align, 'data-from': from, 'data-fit': isFit } as const;
  if (!sorts || !sort) return <th {...attributes}>{header}</th>;
  const { oldestFirst, onSort } = sort;
  const Arrow = oldestFirst ? IconArrowUp : IconArrowDown;
  return (
    <th {...attributes} aria-sort={oldestFirst ? 'ascending' : 'descending'}>
      <button type="button" className={classes.sort} onClick={() => onSort(!oldestFirst)}>
        {header}
        <Arrow size={14} />
      </button>
    </th>
  );
}

/** The first cell, which leads to the record or opens it. Its control reaches over the row. */
function First<Row>({
  row,
  linkOf,
  detailOf,
  isOpen,
  onToggle,
  children,
}: Pick<TableProps<Row>, 'linkOf' | 'detailOf'> & {
  row: Row;
  isOpen: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  if (linkOf)
    return (
      <Link {...linkOf(row)} className={classes.link}>
        {children}
      </Link>
    );
  if (!detailOf) return children;
  return (
    <button type="button" className={classes.opener} aria-expanded={isOpen} onClick={onToggle}>
      <IconChevronRight size={16} className={classes.chevron} />
      {children}
    </button>
  );
}
