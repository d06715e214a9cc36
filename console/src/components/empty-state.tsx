import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

/** Explains what an empty list would contain and how to add the first entry. */
export function EmptyState({
  icon: Shape,
  title,
  children,
  action,
}: {
  icon: Icon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Shape size={22} />
      </span>
      <p className={classes.title}>{title}</p>
      <div className={classes.text}>{children}</div>
      {action}
    </div>
  );
}
