import { type Icon, IconArrowBackUp, IconChevronRight, IconShoppingCart } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { SpentAmount } from '../../components/spent-amount.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import type { TransactionDetail } from '../../lib/types.ts';
import classes from './relatives.module.css';

/** Links a refund to its purchase, and a purchase to its refunds. */
export function Relatives({
  parent,
  refunds,
}: {
  parent: TransactionDetail | null;
  refunds: TransactionDetail[];
}) {
  if (!parent && refunds.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Related transactions">
      {parent && <Relative icon={IconShoppingCart} words="Refund of this purchase" transaction={parent} />}
      {refunds.map((refund) => (
        <Relative key={refund.id} icon={IconArrowBackUp} words="Refunded later" transaction={refund} />
      ))}
    </ul>
  );
}

function Relative({
  icon: Shape,
  words,
  transaction: { id, total, billCurrency, status, created },
}: {
  icon: Icon;
  words: string;
  transaction: TransactionDetail;
}) {
  const { id: programId } = useProgram();
  return (
    <li>
      <Link
        to="/programs/$programId/transactions/$transactionId"
        params={{ programId, transactionId: id }}
        className={classes.link}
      >
        <Shape size={18} className={classes.icon} />
        <span className={classes.words}>
          <strong>{words}</strong>
          <span className={classes.when}>
            <Timestamp value={created} absolute />
          </span>
        </span>
        <StatusBadge status={status} />
        <strong>
          <SpentAmount value={total} currency={billCurrency} />
        </strong>
        <IconChevronRight size={16} className={classes.icon} />
      </Link>
    </li>
  );
}
