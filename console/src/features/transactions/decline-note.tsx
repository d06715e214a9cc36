import { Icon } from '../../components/icon.tsx';
import type { Decline } from '../../lib/types.ts';
import classes from './decline-note.module.css';

/** Why it was declined, and what to do about it. */
export function DeclineNote({ decline: { meaning, remedy } }: { decline: Decline }) {
  return (
    <span className={classes.note}>
      <span>{meaning}</span>
      <span className={classes.remedy}>
        <Icon name="arrow" size={14} className={classes.arrow} />
        <span>{remedy}</span>
      </span>
    </span>
  );
}
