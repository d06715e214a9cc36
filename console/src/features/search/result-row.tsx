import { StatusBadge } from '../../components/status-badge.tsx';
import type { SearchResult } from '../../lib/types.ts';
import { MATCHED_BY } from './queries.ts';
import classes from './result-row.module.css';

/** A card that was found: who holds it, which one it is, and what it was found by. */
export function ResultRow({ result: { card, matchedBy } }: { result: SearchResult }) {
  return (
    <span className={classes.row}>
      <span className={classes.main}>
        <span className={`${classes.name} ellipsis`}>{card.cardholderName}</span>
        <span className={`${classes.detail} ellipsis num`}>
          •••• {card.lastFour} · {card.externalCustomerId}
        </span>
      </span>
      <span className={classes.matched}>{MATCHED_BY[matchedBy]}</span>
      <StatusBadge status={card.status} />
    </span>
  );
}
