import { IconArrowRight } from '@tabler/icons-react';
import type { Decline } from '../../lib/types.ts';
import classes from './decline-note.module.css';
import { declineWords } from './filters.ts';

/** The reason of a decline and what to do about it. */
export function DeclineNote({ decline: { reason, meaning, remedy } }: { decline: Decline }) {
  return (
    <span className={classes.note}>
      <strong>{declineWords(reason)}</strong>
      <span>{meaning}</span>
      <span className={classes.remedy}>
        <IconArrowRight size={14} className={classes.arrow} />
        <span>{remedy}</span>
      </span>
    </span>
  );
}
