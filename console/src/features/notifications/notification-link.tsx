import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProgram } from '../../lib/program.ts';
import classes from './notifications.module.css';
import type { Notification } from './queries.ts';

/** Leads to what the notification is about. */
export function NotificationLink({
  notification: { kind, subject },
  onFollow,
  children,
}: {
  notification: Notification;
  onFollow: () => void;
  children: ReactNode;
}) {
  const { id: programId } = useProgram();
  const shared = {
    params: { programId },
    className: classes.item,
    onClick: onFollow,
    preload: false,
  } as const;
  if (kind === 'webhook_endpoint')
    return (
      <Link
        to="/programs/$programId/webhooks"
        search={{ endpoint: subject, state: 'undelivered' }}
        {...shared}
      >
        {children}
      </Link>
    );
  if (kind === 'declines')
    return (
      <Link to="/programs/$programId/transactions" search={{ status: 'DECLINED' }} {...shared}>
        {children}
      </Link>
    );
  if (kind === 'master_key')
    return (
      <a href="/docs/guides/backup" className={classes.item} onClick={onFollow}>
        {children}
      </a>
    );
  return (
    <Link to={PAGES[kind]} {...shared}>
      {children}
    </Link>
  );
}

const PAGES = {
  decision_endpoint: '/programs/$programId/decisions',
  master_balance: '/programs/$programId/program',
  report: '/programs/$programId/reports',
} as const;
