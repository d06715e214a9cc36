import { IconClock } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import type { CardDetails, HistoryEntry } from '../../lib/types.ts';
import classes from './history.module.css';
import { actorName, actorWords, fieldWords, reasonWords, shownChanges } from './history-words.ts';
import { historyQuery } from './queries.ts';

/** The card's audit entries: who did what, when and why. */
export function History({ card }: { card: CardDetails }) {
  const { id: programId } = useProgram();
  const query = useInfiniteQuery(historyQuery(programId, card.id));
  return (
    <Loaded query={query} outline={<ItemsOutline rows={8} />}>
      {({ pages }) => {
        const entries = pages.flatMap(({ results }) => results);
        if (entries.length === 0)
          return (
            <EmptyState icon={IconClock} title="No history yet">
              Every freeze, block, reissue, balance adjustment and reveal is listed here, with the operator
              and the reason.
            </EmptyState>
          );
        return (
          <>
            <ol className={classes.list}>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} currency={card.currency} />
              ))}
            </ol>
            <LoadMore query={query} end="End of history." />
          </>
        );
      }}
    </Loaded>
  );
}

function Entry({ entry, currency }: { entry: HistoryEntry; currency: string }) {
  const { action, words, actor, address, reason, changes, requestId, created } = entry;
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <strong>{words}</strong>
        <span className={classes.muted}>
          by <span className={classes.actor}>{actorName(actor)}</span>
          {actorWords(actor.kind)}
          {address && (
            <>
              {' '}
              from <span className="mono">{address}</span>
            </>
          )}
        </span>
        <span className={classes.time}>
          <Timestamp value={created} absolute />
        </span>
      </div>
      {reason && <blockquote className={classes.reason}>{reasonWords(action, reason)}</blockquote>}
      {changes.length > 0 && (
        <ul className={classes.changes}>
          {shownChanges(changes, currency).map(({ field, before, after }) => (
            <li key={field}>
              <span className={classes.muted}>{fieldWords(field)}</span>
              <span>
                {before !== undefined && (
                  <>
                    <del>{before}</del> <span aria-hidden="true">→</span>{' '}
                  </>
                )}
                <ins>{after}</ins>
              </span>
            </li>
          ))}
        </ul>
      )}
      {requestId && <p className={`${classes.request} mono`}>{requestId}</p>}
    </li>
  );
}
