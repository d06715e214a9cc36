import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { send } from './api.ts';
import { keepCsrfToken } from './csrf-token.ts';
import type { Enrolment, Message, RecoveryCodes, Role, Session } from './types.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => keep(await send<Session>('GET', 'session/')),
  staleTime: 5 * 60_000,
  retry: false,
});

function keep(session: Session): Session {
  keepCsrfToken(session);
  return session;
}

/** `code`: for operators with a second factor. */
export async function signIn(email: string, password: string, code: string): Promise<Session> {
  const body = { email, password, ...(code !== '' && { code }) };
  return keep(await send<Session>('POST', 'session/', { body }));
}

export const acceptInvitation = async (token: string, name: string, password: string): Promise<Session> =>
  keep(await send<Session>('PUT', 'session/invitation/', { body: { token, name, password } }));

export const changePassword = (currentPassword: string, newPassword: string): Promise<Message> =>
  send<Message>('PUT', 'session/password/', { body: { currentPassword, newPassword } });

const SECOND_FACTOR = 'session/second-factor/';

export const beginSecondFactor = (password: string): Promise<Enrolment> =>
  send<Enrolment>('POST', SECOND_FACTOR, { body: { password } });

export const confirmSecondFactor = (enrolment: string, code: string): Promise<RecoveryCodes> =>
  send<RecoveryCodes>('PUT', SECOND_FACTOR, { body: { enrolment, code } });

export const renewRecoveryCodes = (password: string, code: string): Promise<RecoveryCodes> =>
  send<RecoveryCodes>('POST', `${SECOND_FACTOR}recovery-codes/`, { body: { password, code } });

export const removeSecondFactor = (password: string, code: string): Promise<Message> =>
  send<Message>('POST', `${SECOND_FACTOR}remove/`, { body: { password, code } });

/** Inside the shell there is always a session: the route checks it first. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('There is no session outside the shell.');
  return data;
}

/** Clears all loaded data, which belong to the operator who signs out. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await send<Message>('DELETE', 'session/');
    keepCsrfToken(null);
    await navigate({ to: '/sign-in' });
    queryClient.clear();
  };
}

const RANK: Record<Role, number> = { viewer: 0, support: 1, manager: 2, admin: 3 };

export const allows = (role: Role, needed: Role): boolean => RANK[role] >= RANK[needed];

/** Whether the operator's role allows an action. The server decides; this only hides useless buttons. */
export const useMay = (needed: Role): boolean => allows(useSession().operator.role, needed);
