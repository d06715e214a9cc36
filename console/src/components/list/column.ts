import type { ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  /** Takes the width that the others leave. Default: the first column. The others are as wide as their content. */
  grow?: true;
  /** Its text may have several lines. */
  wraps?: true;
  /** Hidden on narrower screens. */
  from?: 'sm' | 'md' | 'lg';
  /** Shown only if the operator chooses it. */
  extra?: true;
  /** The list can be sorted by this column. */
  sorts?: true;
}
