import { StatusBadge } from '../../components/status-badge.tsx';
import type { SearchResult } from '../../lib/types.ts';
import { matchedWords } from './queries.ts';
import classes from './result-row.module.css';

/** A card with its cardholder, its digits and what matched; or one of its transactions. */
export function ResultRow({ result, asked }: { result: SearchResult; asked: string }) {
  const { card, transactionId } = result;
  return (
    <span className={classes.row}>
      <span className={classes.main}>
        <span className={`${classes.name} ellipsis`}>
          {transactionId === null ? card.cardholderName : `Transaction of ${card.cardholderName}`}
        </span>
        <span className={`${classes.detail} ellipsis num`}>
          •••• {card.lastFour} · {card.externalCustomerId}
        </span>
      </span>
      <span className={classes.matched}>{matchedWords(result, asked)}</span>
      {transactionId === null && <StatusBadge status={card.status} />}
    </span>
  );
}
