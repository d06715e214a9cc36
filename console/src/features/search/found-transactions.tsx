import { Link } from '@tanstack/react-router';
import { Panel } from '../../components/page.tsx';
import { formatDay, parseTime } from '../../lib/time.ts';
import type { SearchResults } from '../../lib/types.ts';
import classes from './found-transactions.module.css';
import { TransactionRow } from './result-row.tsx';

/** The transactions that a search found by merchant or amount, newest first. */
export function FoundTransactions({
  programId,
  found: { transactions, searchedBackTo },
}: {
  programId: string;
  found: SearchResults;
}) {
  if (transactions.length === 0) return null;
  return (
    <Panel title="Transactions" flush>
      <ul className={classes.list} aria-label="Transactions found">
        {transactions.map((transaction) => (
          <li key={transaction.id}>
            <Link
              to="/programs/$programId/transactions/$transactionId"
              params={{ programId, transactionId: transaction.id }}
              className={classes.link}
            >
              <TransactionRow transaction={transaction} />
            </Link>
          </li>
        ))}
      </ul>
      {searchedBackTo && (
        <p className={classes.note}>
          Transactions before {formatDay(parseTime(searchedBackTo))} were not searched by merchant or amount.{' '}
          <Link to="/programs/$programId/transactions" params={{ programId }}>
            Search them with the filters of the transaction list.
          </Link>
        </p>
      )}
    </Panel>
  );
}
