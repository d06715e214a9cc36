import { Button } from '@mantine/core';
import { ErrorPanel } from './error-panel.tsx';
import classes from './load-more.module.css';

interface Continued {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage: () => Promise<unknown>;
}

/** Loads older records on request. `end` is shown when there are no more. */
export function LoadMore({
  query,
  label = 'Show older',
  end,
}: {
  query: Continued;
  label?: string;
  end?: string;
}) {
  if (query.isFetchNextPageError)
    return <ErrorPanel error={query.error} retry={() => void query.fetchNextPage()} />;
  if (!query.hasNextPage) return end ? <p className={classes.end}>{end}</p> : null;
  return (
    <div className={classes.more}>
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </div>
  );
}
