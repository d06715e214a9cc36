import { Link } from '@tanstack/react-router';
import type { Column } from '../../components/list/column.ts';
import { SpentAmount } from '../../components/spent-amount.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { placeOf } from '../../lib/countries.ts';
import { describeCategory } from '../../lib/merchant-categories.ts';
import type { TransactionDetail } from '../../lib/types.ts';
import { declineLine } from '../limits/decline-line.ts';
import { CHANNEL_WORDS, declineWords } from './filters.ts';
import { FlagBadges } from './flags.tsx';
import classes from './transaction-table.module.css';
import { isStruck, voidWords } from './void-words.ts';
import { When } from './when.tsx';
import { WithFees } from './with-fees.tsx';

export const transactionColumns = (programId: string): Array<Column<TransactionDetail>> => [
  {
    key: 'merchant',
    header: 'Merchant',
    cell: (transaction) => <MerchantCell transaction={transaction} />,
  },
  {
    key: 'outcome',
    header: 'Status',
    from: 'lg',
    wraps: true,
    cell: (transaction) => (
      <span className={classes.outcome}>
        <span className={classes.badges}>
          <StatusBadge status={transaction.status} />
          <FlagBadges flags={transaction.flags} />
        </span>
        <Why transaction={transaction} explainIn={programId} />
      </span>
    ),
  },
  {
    key: 'card',
    header: 'Card',
    from: 'sm',
    cell: ({ cardId, lastFour, cardholderName }) => (
      <span className={classes.lines}>
        <Link to="/programs/$programId/cards/$cardId" params={{ programId, cardId }} className={classes.card}>
          <span className="num">••••&nbsp;{lastFour}</span>
        </Link>
        <span className={classes.small}>{cardholderName}</span>
      </span>
    ),
  },
  {
    key: 'created',
    header: 'Created',
    from: 'sm',
    sorts: true,
    cell: ({ created }) => <When value={created} />,
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (transaction) => <AmountCell transaction={transaction} />,
  },
  {
    key: 'kind',
    header: 'Kind',
    extra: true,
    cell: ({ kind }) => (kind === 'refund' ? 'Refund' : 'Purchase'),
  },
  {
    key: 'channel',
    header: 'Channel',
    extra: true,
    cell: ({ channel }) => (channel ? CHANNEL_WORDS[channel] : '—'),
  },
  {
    key: 'mcc',
    header: 'Category (MCC)',
    extra: true,
    cell: ({ merchant }) => (merchant ? describeCategory(merchant.mcc) : '—'),
  },
  { key: 'approval', header: 'Approval code', extra: true, cell: ({ approvalCode }) => approvalCode ?? '—' },
  {
    key: 'id',
    header: 'Transaction id',
    extra: true,
    cell: ({ id }) => <span className="mono nowrap">{id}</span>,
  },
];

/** What the card was charged, with fees. */
function AmountCell({ transaction }: { transaction: TransactionDetail }) {
  const { amount, currency, billAmount, billCurrency, total } = transaction;
  return (
    <span className={classes.lines}>
      <strong className={classes.amount} data-struck={isStruck(transaction) || undefined}>
        <SpentAmount value={total} currency={billCurrency} />
      </strong>
      {total !== billAmount && (
        <span className={classes.small}>
          <WithFees of={transaction} />
        </span>
      )}
      {currency !== billCurrency && (
        <span className={classes.small}>
          <SpentAmount value={amount} currency={currency} />
        </span>
      )}
    </span>
  );
}

/** Why no money moved, in one line. The reason of a decline leads to its explanation, beside the list. */
function Why({ transaction, explainIn }: { transaction: TransactionDetail; explainIn?: string }) {
  const { id, decline, status, billCurrency } = transaction;
  if (!decline)
    return status === 'VOID' ? <span className={classes.small}>{voidWords(transaction)}</span> : null;
  const numbers = declineLine(decline, billCurrency);
  const reason = declineWords(decline.reason);
  return (
    <span className={`${classes.why} ellipsis num`}>
      {explainIn ? (
        <Link
          to="/programs/$programId/transactions"
          params={{ programId: explainIn }}
          search={(before) => ({ ...before, explain: id })}
          resetScroll={false}
          className={classes.reason}
        >
          {reason}
        </Link>
      ) : (
        reason
      )}
      {numbers && <span className={classes.numbers}> · {numbers}</span>}
    </span>
  );
}

function MerchantCell({ transaction }: { transaction: TransactionDetail }) {
  const { merchant, kind, channel, status, created } = transaction;
  const how = kind === 'refund' ? 'Refund' : channel && CHANNEL_WORDS[channel];
  return (
    <span className={classes.lines}>
      <span className={classes.name}>{merchant?.name ?? 'Unknown merchant'}</span>
      <span className={classes.small}>
        {[how, merchant && placeOf(merchant)].filter(Boolean).join(' · ')}
      </span>
      {/* On a narrow screen this replaces the other columns. */}
      <span className={classes.narrow}>
        <StatusBadge status={status} />
        <FlagBadges flags={transaction.flags} />
        <span className={classes.narrowWhen}>
          <When value={created} />
        </span>
        <Why transaction={transaction} />
      </span>
    </span>
  );
}
