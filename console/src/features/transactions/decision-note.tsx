import type { LifeEvent } from '../../lib/types.ts';
import classes from './decision-note.module.css';
import { decisionWords } from './decision-words.ts';

/** Who decided, and the pairs that the merchant's server added. */
export function DecisionNote({ event }: { event: LifeEvent }) {
  const pairs = Object.entries(event.decision?.metadata ?? {});
  return (
    <>
      <span>{decisionWords(event)}</span>
      {pairs.length > 0 && (
        <dl className={classes.pairs} aria-label="Metadata from your server">
          {pairs.map(([name, value]) => (
            <div key={name} className={classes.pair}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
