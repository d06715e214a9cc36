import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Loaded } from '../../components/loaded.tsx';
import { SessionList } from '../../components/session-list.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { send } from '../../lib/api.ts';
import type { Sessions } from '../../lib/api-types.gen.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Message } from '../../lib/types.ts';

const PATH = 'session/sessions/';
const ownSessionsQuery = queryOptions({
  queryKey: ['session', 'sessions'],
  queryFn: async () => (await send<Sessions>('GET', PATH)).sessions,
});

/** The operator's own sessions. The current one ends by signing out. */
export function OwnSessions() {
  const query = useQuery(ownSessionsQuery);
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: (path: string) => send<Message>('DELETE', `${PATH}${path}`),
    onSuccess: (_answer, path) => {
      showToast(path === '' ? 'All other sessions ended' : 'Session ended');
      return queryClient.invalidateQueries(ownSessionsQuery);
    },
  });
  return (
    <Loaded query={query} outline={<ItemsOutline rows={2} />}>
      {(sessions) => (
        <SessionList
          sessions={sessions}
          ending={end}
          onEnd={(id) => end.mutate(`${id}/`)}
          actions={
            sessions.length > 1 && (
              <Button variant="default" loading={end.isPending} onClick={() => end.mutate('')}>
                End all other sessions
              </Button>
            )
          }
        />
      )}
    </Loaded>
  );
}
