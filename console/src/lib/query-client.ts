import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';
import { noteSignedOut } from './signed-out.ts';

const ATTEMPTS = 3;

/** `onSignedOut` is called when the server reports that the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const watch = (error: unknown, by: 'reading' | 'doing', key?: readonly unknown[]) => {
    if (!(error instanceof ApiError) || key?.[0] === 'session') return;
    if (error.status === 401) {
      noteSignedOut(by);
      onSignedOut();
    }
    // The role may have changed: reload the session, so that the page shows the allowed actions.
    if (error.status === 403) void queryClient.invalidateQueries({ queryKey: ['session'] });
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => watch(error, 'reading', query.queryKey) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => watch(error, 'doing', mutation.options.mutationKey),
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < ATTEMPTS && mayPass(error),
        // Without a network a request fails with an error. A paused request would be sent later, when it is no longer
        // expected.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return queryClient;
}

/** A refusal is final; an unavailable or restarting server is worth a retry. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);
