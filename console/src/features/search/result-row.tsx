import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { SearchResult, TransactionDetail } from '../../lib/types.ts';
import { matchedWords, takenWords } from './queries.ts';
import classes from './result-row.module.css';

/** A card with its cardholder, its digits and what matched; or one of its transactions. */
export function ResultRow({ result, searched }: { result: SearchResult; searched: string }) {
  const { card, transactionId } = result;
  return (
    <span className={classes.row}>
      <span className={classes.main}>
        <span className={`${classes.name} ellipsis`}>
          {transactionId === null ? card.cardholderName : `Transaction of ${card.cardholderName}`}
        </span>
        <span className={`${classes.detail} ellipsis num`}>
          ••••&nbsp;{card.lastFour} · {card.externalCustomerId}
        </span>
      </span>
      <span className={classes.matched}>{matchedWords(result, searched)}</span>
      {transactionId === null && <StatusBadge status={card.status} />}
    </span>
  );
}

/** A transaction that was found by its merchant or amount. */
export function TransactionRow({ transaction }: { transaction: TransactionDetail }) {
  const { merchant, cardholderName, lastFour, status, created } = transaction;
  return (
    <span className={classes.row}>
      <span className={classes.main}>
        <span className={`${classes.name} ellipsis`}>{merchant?.name ?? 'Unknown merchant'}</span>
        <span className={`${classes.detail} ellipsis num`}>
          {cardholderName} ••••&nbsp;{lastFour} · <Timestamp value={created} />
        </span>
      </span>
      <span className={`${classes.name} num nowrap`}>{takenWords(transaction)}</span>
      <StatusBadge status={status} />
    </span>
  );
}
