import { IconNote } from '@tabler/icons-react';
import { Timestamp } from '../../components/timestamp.tsx';
import type { Customer } from '../../lib/types.ts';
import classes from './timeline.module.css';

/** What an operator noted about the customer. */
export function NoteItem({ note: { text, author, created } }: { note: Customer['notes'][number] }) {
  return (
    <li className={classes.item}>
      <span className={classes.icon}>
        <IconNote size={17} />
      </span>
      <div className={classes.body}>
        <span className={classes.merchant}>Note</span>
        <span className={classes.about}>
          <Timestamp value={created} clock /> · by {author}
        </span>
        <p className={classes.quote}>{text}</p>
      </div>
    </li>
  );
}
