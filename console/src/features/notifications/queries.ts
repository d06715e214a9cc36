import { queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { NotificationPreferences, Notifications } from '../../lib/api-types.gen.ts';

/** The worker looks for conditions as often. */
const REFRESH_MS = 60_000;

export const notificationsQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'notifications'],
    queryFn: ({ signal }) => programApi(programId).get<Notifications>('notifications/', undefined, signal),
    refetchInterval: REFRESH_MS,
  });

export const preferencesQuery = (programId: string) =>
  queryOptions({
    queryKey: ['session', 'notifications', programId],
    queryFn: () => programApi(programId).get<NotificationPreferences>('notifications/preferences/'),
  });
