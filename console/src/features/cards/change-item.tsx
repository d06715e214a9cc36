import { IconPencil } from '@tabler/icons-react';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import type { HistoryEntry } from '../../lib/types.ts';
import { actorName, actorWords, fieldWords, reasonWords, shownChanges } from './history-words.ts';
import classes from './timeline.module.css';

/** One audited change: what, by whom, why, and the new values. */
export function ChangeItem({ entry, onCard }: { entry: HistoryEntry; onCard?: string | undefined }) {
  const { action, words, actor, reason, changes, created } = entry;
  const { currency } = useProgram();
  const values = shownChanges(changes, currency).map(({ field, after }) => `${fieldWords(field)}: ${after}`);
  return (
    <li className={classes.item}>
      <span className={classes.icon}>
        <IconPencil size={17} />
      </span>
      <div className={classes.body}>
        <span className={classes.merchant}>{words}</span>
        <span className={classes.about}>
          <Timestamp value={created} clock />
          {onCard && <span className="num nowrap"> · {onCard}</span>} · by {actorName(actor)}
          {actorWords(actor.kind)}
        </span>
        {reason && <p className={classes.quote}>{reasonWords(action, reason)}</p>}
        {values.length > 0 && <span className={classes.about}>{values.join(' · ')}</span>}
      </div>
    </li>
  );
}
