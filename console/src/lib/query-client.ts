import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

const ATTEMPTS = 3;

/** `onSignedOut` is called once the server says that nobody is signed in any more. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const watch = (error: unknown, key?: readonly unknown[]) => {
    if (error instanceof ApiError && error.status === 401 && key?.[0] !== 'session') onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => watch(error, query.queryKey) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => watch(error, mutation.options.mutationKey),
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < ATTEMPTS && mayPass(error),
      },
      mutations: { retry: false },
    },
  });
}

/** A refusal stays a refusal; a server that is away or restarts comes back. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);
