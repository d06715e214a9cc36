import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';
import { noteSignedOut } from './signed-out.ts';

const ATTEMPTS = 3;

/** `onSignedOut` is called once the server says that nobody is signed in any more. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const watch = (error: unknown, by: 'reading' | 'doing', key?: readonly unknown[]) => {
    if (!(error instanceof ApiError) || key?.[0] === 'session') return;
    if (error.status === 401) {
      noteSignedOut(by);
      onSignedOut();
    }
    // The role may be another one by now: the page should offer what it allows.
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
        // Without a network a request fails and is told of. Held back, it would be sent when nobody expects it any more.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return queryClient;
}

/** A refusal stays a refusal; a server that is away or restarts comes back. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);
