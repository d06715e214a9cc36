import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Delayed } from './delayed.tsx';
import { ErrorPanel } from './error-panel.tsx';

/** The data of a query; while loading, after a delay, a placeholder; after a failure the error with a retry. */
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
