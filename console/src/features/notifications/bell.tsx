import { ActionIcon, Button, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { RealTime } from '../../components/real-time.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import type { Notifications } from '../../lib/api-types.gen.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { NotificationLink } from './notification-link.tsx';
import classes from './notifications.module.css';
import { notificationsQuery } from './queries.ts';

/** The number of unread notifications, and their list. */
export function Bell() {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const query = notificationsQuery(programId);
  const { data, error, refetch } = useQuery(query);
  const here = useRouterState({ select: ({ location }) => location.href });
  const [opened, { toggle, close }] = useDisclosure(false);
  const read = useMutation({
    mutationFn: (ids: string[]) => api.put<Notifications>('notifications/read/', { ids }),
    onSuccess: (answer) => queryClient.setQueryData(query.queryKey, answer),
  });
  const notifications = data?.notifications ?? [];
  const unread = data?.unread ?? 0;
  return (
    <Popover
      opened={opened}
      onChange={(isOpen) => !isOpen && close()}
      position="bottom-end"
      width={400}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          className={classes.bell ?? ''}
          onClick={toggle}
          aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
        >
          <IconBell size={19} />
          {unread > 0 && (
            <span className={`${classes.count} num`} aria-hidden="true">
              {unread}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel ?? ''} aria-label="Notifications">
        <div className={classes.head}>
          <strong>Notifications</strong>
          {unread > 0 && (
            <Button
              variant="subtle"
              size="compact-xs"
              loading={read.isPending}
              onClick={() => read.mutate(notifications.map(({ id }) => id))}
            >
              Mark all as read
            </Button>
          )}
        </div>
        {!data && error && <ErrorPanel error={error} retry={() => void refetch()} />}
        {read.error && <ErrorPanel error={read.error} />}
        {data && notifications.length === 0 && (
          <EmptyState icon={IconBellOff} title="Nothing needs attention">
            Failing endpoints, a low master account, spikes of declines and failed reports appear here.
          </EmptyState>
        )}
        <ul className={classes.list} aria-label="Notifications">
          {notifications.map((notification) => (
            <li key={notification.id} data-unread={!notification.isRead || undefined}>
              <NotificationLink
                link={notification.link}
                onFollow={() => {
                  close();
                  if (!notification.isRead) read.mutate([notification.id]);
                }}
              >
                <span className={classes.title}>
                  {notification.title}
                  {notification.closed === null ? (
                    <ToneBadge tone="bad">Open</ToneBadge>
                  ) : (
                    <ToneBadge tone="quiet">Over</ToneBadge>
                  )}
                </span>
                {notification.closed === null && <span className={classes.text}>{notification.text}</span>}
                <span className={classes.when}>
                  Began <RealTime value={notification.opened} />
                  {notification.closed && (
                    <>
                      , ended <RealTime value={notification.closed} />
                    </>
                  )}
                </span>
              </NotificationLink>
            </li>
          ))}
        </ul>
        <Link to="/account" search={{ next: here }} className={classes.foot} onClick={close}>
          Choose how you are notified
        </Link>
      </Popover.Dropdown>
    </Popover>
  );
}
