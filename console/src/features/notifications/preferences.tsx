import { Checkbox } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { programApi } from '../../lib/api.ts';
import type { NotificationPreferences } from '../../lib/api-types.gen.ts';
import classes from './notifications.module.css';
import { preferencesQuery } from './queries.ts';
import { Ways } from './ways.tsx';

const CHANNELS = { bell: 'Bell', email: 'E-mail', webhook: 'Webhook' } as const;
type Channel = keyof typeof CHANNELS;
type Kind = NotificationPreferences['kinds'][number];

/** Where the operator learns of each kind, in all programs. A change is saved at once. */
export function Preferences({ programId }: { programId: string }) {
  const preferences = preferencesQuery(programId);
  const queryClient = useQueryClient();
  const query = useQuery(preferences);
  const choose = useMutation({
    mutationFn: (kinds: Array<Pick<Kind, 'kind' | 'channels'>>) =>
      programApi(programId).put<NotificationPreferences>('notifications/preferences/', { kinds }),
    onSuccess: (answer) => {
      queryClient.setQueryData(preferences.queryKey, answer);
      return queryClient.invalidateQueries({ queryKey: [programId, 'notifications'] });
    },
  });
  const toggle = ({ kind, channels }: Kind, channel: Channel) =>
    choose.mutate([
      {
        kind,
        channels: channels.includes(channel)
          ? channels.filter((other) => other !== channel)
          : [...channels, channel],
      },
    ]);
  return (
    <Loaded query={query} outline={<TableOutline rows={5} />}>
      {(loaded) => {
        const isOffered = (channel: Channel) => channel === 'bell' || loaded[channel] !== null;
        return (
          <div className={classes.ways}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="row">What</th>
                  {Object.entries(CHANNELS).map(([channel, label]) => (
                    <th key={channel} scope="col">
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {loaded.kinds.map((kind) => (
                  <tr key={kind.kind}>
                    <th scope="row">
                      {kind.label}
                      <span className={classes.about}>{kind.description}</span>
                    </th>
                    {(Object.keys(CHANNELS) as Channel[]).map((channel) => (
                      <td key={channel}>
                        <Checkbox
                          className={classes.box ?? ''}
                          aria-label={`${kind.label}: ${CHANNELS[channel]}`}
                          checked={kind.channels.includes(channel)}
                          disabled={
                            choose.isPending || (!isOffered(channel) && !kind.channels.includes(channel))
                          }
                          onChange={() => toggle(kind, channel)}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            {choose.error && <ErrorPanel error={choose.error} />}
            <Ways programId={programId} preferences={loaded} />
          </div>
        );
      }}
    </Loaded>
  );
}
