import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconLink } from '@tabler/icons-react';
import type { ListCount } from '../../lib/api-types.gen.ts';
import { formatCount } from '../../lib/money.ts';
import { useMay } from '../../lib/session.ts';
import type { Column } from './column.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { ExportButton } from './export-button.tsx';
import type { FilterProps } from './filter.ts';
import classes from './list.module.css';
import type { ListName } from './queries.ts';
import { ViewsMenu } from './views-menu.tsx';

export interface HeadProps<Row> extends FilterProps {
  list: ListName;
  /** One record and several. */
  nouns: readonly [one: string, many: string];
  columns: Array<Column<Row>>;
}

/** The number of records, and what can be done with the list. */
export function ListHead<Row>({
  list,
  nouns,
  columns,
  search,
  onSearch,
  queryParams,
  count,
  shown,
  onShow,
}: HeadProps<Row> & {
  /** The filters as the server knows them. */
  queryParams: Record<string, string>;
  count: ListCount | undefined;
  shown: string[];
  onShow: (keys: string[] | null) => void;
}) {
  const mayExport = useMay('support');
  return (
    <div className={classes.head}>
      <p className={classes.count} role="status">
        {count && countWords(count, nouns)}
      </p>
      <div className={classes.actions}>
        <ViewsMenu
          list={list}
          search={search}
          shown={shown}
          onOpen={(saved, keys) => {
            onSearch(() => saved);
            onShow(keys.length > 0 ? keys : null);
          }}
        />
        <ColumnsMenu columns={columns} shown={shown} onShow={onShow} />
        <CopyLink />
        {mayExport && <ExportButton list={list} queryParams={queryParams} />}
      </div>
    </div>
  );
}

const MOST_COUNTED = 10_000;

function countWords({ count, isExact }: ListCount, [one, many]: readonly [string, string]): string {
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
      size="xs"
      variant="default"
      onClick={() => copy(globalThis.location.href)}
      leftSection={<Shape size={15} />}
    >
      {copied ? 'Link copied' : 'Copy link'}
    </Button>
  );
}
