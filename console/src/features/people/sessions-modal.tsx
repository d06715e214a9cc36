import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SessionList } from '../../components/session-list.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { programApi } from '../../lib/api.ts';
import type { Sessions } from '../../lib/api-types.gen.ts';
import { useProgram } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Message } from '../../lib/types.ts';
import type { Person } from './queries.ts';

const sessionsQuery = (programId: string, personId: string) =>
  queryOptions({
    queryKey: [programId, 'people', personId, 'sessions'],
    queryFn: async () => (await programApi(programId).get<Sessions>(`people/${personId}/sessions/`)).sessions,
  });

/** The sessions of a person. The administrator can end each of them, or all. */
export function SessionsModal({ person, onClose }: { person: Person; onClose: () => void }) {
  const { id: programId } = useProgram();
  const options = sessionsQuery(programId, person.id);
  const query = useQuery(options);
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: (path: string) =>
      programApi(programId).delete<Message>(`people/${person.id}/sessions/${path}`),
    onSuccess: (_answer, path) => {
      showToast(path === '' ? 'All sessions ended' : 'Session ended');
      return queryClient.invalidateQueries(options);
    },
  });
  return (
    <Dialog opened onClose={onClose} title={`Sessions of ${person.name}`} size="lg">
      <Loaded query={query} outline={<ItemsOutline rows={2} />}>
        {(sessions) => <SessionList sessions={sessions} ending={end} onEnd={(id) => end.mutate(`${id}/`)} />}
      </Loaded>
      <DialogFooter>
        {query.data !== undefined && query.data.length > 0 && (
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate('')}>
            End all sessions
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  );
}
