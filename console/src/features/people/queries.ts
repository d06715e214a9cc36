import { queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { Invitations, NewInvitation, NewPerson, People, Person } from '../../lib/api-types.gen.ts';
import { useSession } from '../../lib/session.ts';

export type { NewInvitation, NewPerson, Person };
export type Invitation = Invitations['invitations'][number];

export const peopleQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'people'],
    queryFn: async ({ signal }) =>
      (await programApi(programId).get<People>('people/', undefined, signal)).people,
  });

export const invitationsQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'people', 'invitations'],
    queryFn: async ({ signal }) =>
      (await programApi(programId).get<Invitations>('invitations/', undefined, signal)).invitations,
  });

/** The programs to choose from. An administrator of one program can give access to that program only. */
export function useProgramChoices(): Array<{ value: string; label: string }> {
  const { operator, programs } = useSession();
  const all = operator.programId === null ? [{ value: '', label: 'All programs' }] : [];
  return [...all, ...programs.map(({ id, name }) => ({ value: id, label: name }))];
}

/** The name of a program, or "All programs" for null. */
export function useProgramName(): (id: string | null) => string {
  const { programs } = useSession();
  return (id) => (id === null ? 'All programs' : (programs.find((known) => known.id === id)?.name ?? id));
}
