import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import classes from './notifications.module.css';

const CONSOLE = '/console/';

/** Leads to the page that the server names. A page of the console opens without loading the console again. */
export function NotificationLink({
  link,
  onFollow,
  children,
}: {
  link: string;
  onFollow: () => void;
  children: ReactNode;
}) {
  const { history } = useRouter();
  const follow = (event: MouseEvent) => {
    onFollow();
    if (!link.startsWith(CONSOLE) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.push(link);
  };
  return (
    <a href={link} className={classes.item} onClick={follow}>
      {children}
    </a>
  );
}
