import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconLink } from '@tabler/icons-react';
import type { ListCount } from '../../lib/api-types.gen.ts';
import { formatCount } from '../../lib/money.ts';
import type { Column } from './column.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import classes from './list.module.css';

/** The number of records, and what can be done with the list. */
export function ListHead<Row>({
  nouns,
  columns,
  count,
  shown,
  onShow,
}: {
  nouns: readonly [one: string, many: string];
  columns: Array<Column<Row>>;
  count: ListCount | undefined;
  shown: string[];
  onShow: (keys: string[] | null) => void;
}) {
  return (
    <div className={classes.head}>
      <p className={classes.count} role="status">
        {count && countWords(count, nouns)}
      </p>
      <div className={classes.actions}>
        <CopyLink />
        <ColumnsMenu columns={columns} shown={shown} onShow={onShow} />
      </div>
    </div>
  );
}

const MOST_COUNTED = 10_000;

export function countWords({ count, isExact }: ListCount, [one, many]: readonly [string, string]): string {
  const words = `${formatCount(count)} ${count === 1 ? one : many}`;
  if (isExact) return words;
  return `${count >= MOST_COUNTED ? 'More than' : 'At least'} ${words}`;
}

/** The URL contains all filters: another operator sees the same list after signing in. */
function CopyLink() {
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const Shape = copied ? IconCheck : IconLink;
  return (
    <Button
      variant="default"
      onClick={() => copy(globalThis.location.href)}
      leftSection={<Shape size={16} />}
    >
      {copied ? 'Link copied' : 'Copy link'}
    </Button>
  );
}
