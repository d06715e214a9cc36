import { queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { NewPerson, People, Person } from '../../lib/api-types.gen.ts';
import { useSession } from '../../lib/session.ts';

export type { NewPerson, Person };

export const peopleQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'people'],
    queryFn: async ({ signal }) =>
      (await programApi(programId).get<People>('people/', undefined, signal)).people,
  });

/** The programs to choose from. An administrator of one program can give access to that program only. */
export function useProgramChoices(): Array<{ value: string; label: string }> {
  const { operator, programs } = useSession();
  const all = operator.programId === null ? [{ value: '', label: 'All programs' }] : [];
  return [...all, ...programs.map(({ id, name }) => ({ value: id, label: name }))];
}
