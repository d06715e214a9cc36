import type { ReactNode } from 'react';
import classes from './empty-state.module.css';
import { Icon, type IconName } from './icon.tsx';

/** Explains what an empty list would contain and how to add the first entry. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Icon name={icon} size={22} />
      </span>
      <p className={classes.title}>{title}</p>
      <div className={classes.text}>{children}</div>
      {action}
    </div>
  );
}
