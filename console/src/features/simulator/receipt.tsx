import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Amount } from '../../components/amount.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Icon } from '../../components/icon.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { tell } from '../../lib/toasts.ts';
import type { TransactionDetail, TransactionLife } from '../../lib/types.ts';
import { declineWords } from '../transactions/filters.ts';
import classes from './receipt.module.css';

/** What the terminal would print, in words; and what may happen next. */
export function Receipt({ life }: { life: TransactionLife }) {
  const { id: programId } = useProgram();
  const { transaction, events, refunds } = life;
  const paper = useRef<HTMLElement>(null);
  // On a small screen it is printed out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each receipt.
  useEffect(() => {
    paper.current?.scrollIntoView({ block: 'nearest' });
  }, [transaction.id]);
  const { merchant, decline, status, billAmount, billCurrency, amount, currency, fees } = transaction;
  return (
    <article ref={paper} className={classes.receipt} aria-label="Receipt">
      <header className={classes.head}>
        <strong className={classes.merchant}>{merchant?.name}</strong>
        <span>{[merchant?.city, merchant?.country].filter(Boolean).join(', ')}</span>
        <Timestamp value={transaction.created} absolute />
      </header>
      <div className={classes.sum}>
        <span className={classes.amount}>
          <Amount value={billAmount} currency={billCurrency} />
        </span>
        <span className={classes.stamp} data-tone={decline ? 'bad' : 'good'} role="status">
          {STAMPS[status]}
        </span>
      </div>
      <dl className={classes.lines}>
        {currency !== billCurrency && (
          <Line label="At the merchant" value={<Amount value={amount} currency={currency} />} />
        )}
        {Number(fees.fx) > 0 && (
          <Line label="Foreign currency fee" value={<Amount value={fees.fx} currency={billCurrency} />} />
        )}
        {Number(fees.atm) > 0 && (
          <Line label="Cash fee" value={<Amount value={fees.atm} currency={billCurrency} />} />
        )}
        <Line label="Card" value={`•••• ${transaction.lastFour}`} />
        {transaction.approvalCode && <Line label="Approval code" value={transaction.approvalCode} />}
        {decline && <Line label="Code to the network" value={decline.networkCode} />}
      </dl>
      {decline && (
        <div className={classes.decline}>
          <strong>{declineWords(decline.reason)}</strong>
          <p>{decline.meaning}</p>
          <p>
            <strong>What to do:</strong> {decline.remedy}
          </p>
        </div>
      )}
      <ol className={classes.steps} aria-label="What happened to it">
        {events.map((event) => (
          <li key={event.id}>
            <span>{STEPS[event.name] ?? event.name}</span>
            <Amount value={event.billAmount} currency={event.billCurrency} />
          </li>
        ))}
        {refunds.map((refund) => (
          <li key={refund.id}>
            <span>Refunded</span>
            <Amount value={refund.billAmount} currency={refund.billCurrency} />
          </li>
        ))}
      </ol>
      <NextSteps transaction={transaction} />
      <Link
        to="/programs/$programId/transactions/$transactionId"
        params={{ programId, transactionId: transaction.id }}
        className={classes.link}
      >
        Its whole life, with the ledger
      </Link>
    </article>
  );
}

const STAMPS = { PENDING: 'Approved', CLEARED: 'Cleared', DECLINED: 'Declined', VOID: 'Void' } as const;
const STEPS: Record<string, string> = {
  authorization: 'Authorized',
  'authorization.declined': 'Declined',
  'authorization.reversal': 'Reversed',
  'authorization.clearing': 'Cleared',
  'authorization.expired': 'Hold released',
  refund: 'Refunded',
};

function Line({ label, value }: { label: string; value: React.ReactNode }) {
  return (
    <div className={classes.line}>
      <dt>{label}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}

const DOORS = {
  clearings: { label: 'Clear it', icon: 'cash', done: 'Cleared: the merchant has collected the money.' },
  reversals: { label: 'Reverse it', icon: 'close', done: 'Reversed: the money is free again.' },
  refunds: { label: 'Refund it', icon: 'refund', done: 'Refunded: the money is back on the card.' },
} as const;
type Door = keyof typeof DOORS;

/** What a merchant can do next depends on where the purchase stands. */
function doorsOf({ status, kind }: TransactionDetail): Door[] {
  if (kind === 'refund') return [];
  if (status === 'PENDING') return ['clearings', 'reversals'];
  return status === 'CLEARED' ? ['refunds'] : [];
}

function NextSteps({ transaction }: { transaction: TransactionDetail }) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: (door: Door) => api.post(`sandbox/${door}/`, { transaction_id: transaction.id }),
    onSuccess: (_answer, door) => {
      tell(DOORS[door].done);
      return queryClient.invalidateQueries({ queryKey: [programId] });
    },
  });
  const doors = doorsOf(transaction);
  if (doors.length === 0) return null;
  return (
    <>
      <div className={classes.next}>
        {doors.map((door) => (
          <Button
            key={door}
            variant="default"
            loading={mutation.isPending && mutation.variables === door}
            disabled={mutation.isPending}
            leftSection={<Icon name={DOORS[door].icon} size={16} />}
            onClick={() => mutation.mutate(door)}
          >
            {DOORS[door].label}
          </Button>
        ))}
      </div>
      {mutation.error && <ErrorPanel error={mutation.error} />}
    </>
  );
}
