import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Delayed } from './delayed.tsx';
import { ErrorPanel } from './error-panel.tsx';

/** A query's data once they are there; before, after a moment, their outline; or the error with a way out. */
export function Loaded<Data>({
  query,
  outline,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  outline: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />;
  return <Delayed>{outline}</Delayed>;
}
