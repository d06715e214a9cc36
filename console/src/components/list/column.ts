import type { ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  width?: string;
  /** Hidden on narrower screens. */
  from?: 'sm' | 'md' | 'lg';
  /** Shown only if the operator chooses it. */
  extra?: true;
  /** The list can be sorted by this column. */
  sorts?: true;
}
