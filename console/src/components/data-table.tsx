import { Skeleton } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  width?: string;
  /** Hidden on narrower screens. */
  from?: 'sm' | 'md' | 'lg';
}

/** A table. With `linkOf` the whole row is one link, which begins in its first cell. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  linkOf,
}: {
  label: string;
  columns: Array<Column<Row>>;
  rows: Row[];
  rowKey: (row: Row) => string;
  linkOf?: (row: Row) => LinkProps;
}) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ key, header, align, width, from }) => (
              <th key={key} scope="col" data-align={align} data-from={from} style={{ width }}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} data-link={linkOf ? true : undefined}>
              {columns.map(({ key, cell, align, from }, index) => (
                <td key={key} data-align={align} data-from={from}>
                  {linkOf && index === 0 ? (
                    <Link {...linkOf(row)} className={classes.link}>
                      {cell(row)}
                    </Link>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The placeholder of a table that is loading. */
export function TableOutline({ rows = 6 }: { rows?: number }) {
  return (
    <div className={classes.outline} aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars without content.
        <Skeleton key={index} height={18} />
      ))}
    </div>
  );
}
