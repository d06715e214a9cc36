import {
  type Icon,
  IconArrowBackUp,
  IconBuildingStore,
  IconCash,
  IconCreditCard,
  IconPhone,
  IconShoppingCart,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Amount } from '../../components/amount.tsx';
import { SpentAmount } from '../../components/spent-amount.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { categoryName } from '../../lib/merchant-categories.ts';
import { useProgram } from '../../lib/program.ts';
import type { CardDetails, Channel, TransactionDetail } from '../../lib/types.ts';
import { declineLine } from '../limits/decline-line.ts';
import { DeclineNumbers } from '../limits/decline-numbers.tsx';
import { DeclineRemedy } from '../limits/decline-remedy.tsx';
import { CHANNEL_WORDS, declineWords } from '../transactions/filters.ts';
import { FlagBadges } from '../transactions/flags.tsx';
import { isStruck, voidWords } from '../transactions/void-words.ts';
import { WithFees } from '../transactions/with-fees.tsx';
import classes from './timeline.module.css';

const CHANNEL_ICONS: Record<Channel, Icon> = {
  ECOMMERCE: IconShoppingCart,
  POS: IconBuildingStore,
  ATM: IconCash,
  MOTO: IconPhone,
};

/** One transaction: merchant, time, amount, and for a decline its reason, numbers and remedy. */
export function TimelineItem({
  transaction,
  repeats = [],
  card,
  isExplained,
  onCard,
}: {
  transaction: TransactionDetail;
  /** Earlier declines for the same reason at the same merchant. */
  repeats?: TransactionDetail[];
  /** For the newest decline: its remedy is offered. */
  card?: CardDetails | undefined;
  /** A decline in one line otherwise: the same reason is explained above. */
  isExplained: boolean;
  /** Names the card. */
  onCard?: string | undefined;
}) {
  const { id: programId } = useProgram();
  const { kind, channel, merchant, decline, status, created } = transaction;
  const numbers = decline && declineLine(decline, transaction.billCurrency);
  const refund = kind === 'refund';
  const [Shape, word] = refund
    ? ([IconArrowBackUp, 'Refund'] as const)
    : channel
      ? ([CHANNEL_ICONS[channel], CHANNEL_WORDS[channel]] as const)
      : ([IconCreditCard, 'Cleared without authorization'] as const);
  const about = [
    onCard,
    word,
    merchant && (categoryName(merchant.mcc) ?? `Category ${merchant.mcc}`),
    merchant?.city,
    status === 'VOID' ? voidWords(transaction) : null,
  ];
  return (
    <li className={classes.item}>
      <span className={classes.icon} data-declined={decline ? true : undefined}>
        <Shape size={17} />
      </span>
      <div className={classes.body}>
        <div className={classes.row}>
          <Link
            to="/programs/$programId/transactions/$transactionId"
            params={{ programId, transactionId: transaction.id }}
            className={classes.merchant}
          >
            {merchant?.name ?? (refund ? 'Refund' : 'Unknown merchant')}
            {repeats.length > 0 && <span className={classes.times}> {repeats.length + 1} times</span>}
          </Link>
          <span className={classes.amount} data-struck={isStruck(transaction) || undefined}>
            <SpentAmount value={transaction.total} currency={transaction.billCurrency} />
          </span>
        </div>
        <div className={classes.row}>
          <span className={classes.about}>
            <Timestamp value={created} clock />
            {about.filter(Boolean).map((part) => (
              <span key={part}> · {part}</span>
            ))}
            <AmountParts transaction={transaction} />
          </span>
          <span className={classes.badges}>
            <FlagBadges flags={transaction.flags} />
            <StatusBadge status={status} />
          </span>
        </div>
        {decline && (
          <div className={classes.decline}>
            <p className="num">
              <strong>{declineWords(decline.reason)}</strong>
              {!isExplained && numbers && ` · ${numbers}`}
            </p>
            {isExplained && (
              <>
                <p>{decline.meaning}</p>
                <DeclineNumbers decline={decline} purchase={transaction} />
                <p>{decline.remedy}</p>
                <p className={classes.codes}>
                  Code {decline.code} · network code {decline.networkCode}
                </p>
              </>
            )}
            {card && <DeclineRemedy card={card} decline={decline} billAmount={transaction.billAmount} />}
            {repeats.length > 0 && <Repeats transactions={[transaction, ...repeats]} />}
          </div>
        )}
      </div>
    </li>
  );
}

/** Every attempt of a folded decline. */
function Repeats({ transactions }: { transactions: TransactionDetail[] }) {
  const { id: programId } = useProgram();
  return (
    <details className={classes.repeats}>
      <summary>All {transactions.length} attempts</summary>
      <ul>
        {transactions.map(({ id, created, total, billCurrency }) => (
          <li key={id}>
            <Link
              to="/programs/$programId/transactions/$transactionId"
              params={{ programId, transactionId: id }}
            >
              <Timestamp value={created} clock />
            </Link>{' '}
            <Amount value={total} currency={billCurrency} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What the total consists of: the merchant's amount, and the fees. */
function AmountParts({ transaction }: { transaction: TransactionDetail }) {
  const { amount, currency, billAmount, billCurrency, total } = transaction;
  return (
    <>
      {currency !== billCurrency && (
        <span>
          {' '}
          · <SpentAmount value={amount} currency={currency} />
        </span>
      )}
      {total !== billAmount && (
        <span>
          {' '}
          · <WithFees of={transaction} />
        </span>
      )}
    </>
  );
}
