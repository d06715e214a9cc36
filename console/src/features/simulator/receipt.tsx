import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCash, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Amount } from '../../components/amount.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { TransactionDetail, TransactionLife } from '../../lib/types.ts';
import { decidingEvent, decisionWords } from '../transactions/decision-words.ts';
import { declineWords } from '../transactions/filters.ts';
import classes from './receipt.module.css';

/** The result as a terminal would print it, with the possible next steps. */
export function Receipt({ life }: { life: TransactionLife }) {
  const { id: programId } = useProgram();
  const { transaction, events, refunds } = life;
  const paper = useRef<HTMLElement>(null);
  // On a small screen the receipt is outside of the visible area.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each receipt.
  useEffect(() => {
    paper.current?.scrollIntoView({ block: 'nearest' });
  }, [transaction.id]);
  const decided = decidingEvent(life);
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
          <Line label="Merchant amount" value={<Amount value={amount} currency={currency} />} />
        )}
        {Number(fees.fx) > 0 && (
          <Line label="FX fee" value={<Amount value={fees.fx} currency={billCurrency} />} />
        )}
        {Number(fees.atm) > 0 && (
          <Line label="ATM fee" value={<Amount value={fees.atm} currency={billCurrency} />} />
        )}
        <Line label="Card" value={`•••• ${transaction.lastFour}`} />
        {transaction.approvalCode && <Line label="Approval code" value={transaction.approvalCode} />}
        {decline && <Line label="Network code" value={decline.networkCode} />}
      </dl>
      {decided && <p className={classes.decided}>{decisionWords(decided)}</p>}
      {decline && (
        <div className={classes.decline}>
          <strong>{declineWords(decline.reason)}</strong>
          <p>{decline.meaning}</p>
          <p>
            <strong>What to do:</strong> {decline.remedy}
          </p>
        </div>
      )}
      <ol className={classes.steps} aria-label="Events">
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
        View transaction and ledger
      </Link>
    </article>
  );
}

const STAMPS = { PENDING: 'Approved', CLEARED: 'Cleared', DECLINED: 'Declined', VOID: 'Void' } as const;
const STEPS: Record<string, string> = {
  authorization: 'Authorized',
  'authorization.declined': 'Declined',
  'authorization.increment': 'Hold raised',
  'authorization.reversal': 'Reversed',
  'authorization.clearing': 'Cleared',
  'authorization.clearing.reversal': 'Clearing reversed',
  'authorization.expired': 'Hold released',
  refund: 'Refunded',
  'refund.reversal': 'Refund reversed',
};

function Line({ label, value }: { label: string; value: React.ReactNode }) {
  return (
    <div className={classes.line}>
      <dt>{label}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}

const FOLLOW_UPS = {
  clearings: { label: 'Clear', icon: IconCash, done: 'Cleared: the merchant collected the money.' },
  reversals: { label: 'Reverse', icon: IconX, done: 'Reversed: the hold was released.' },
  refunds: { label: 'Refund', icon: IconArrowBackUp, done: 'Refunded: the money is back on the card.' },
} as const;
type FollowUp = keyof typeof FOLLOW_UPS;

/** The merchant's next steps depend on the status of the purchase. */
function followUpsOf({ status, kind }: TransactionDetail): FollowUp[] {
  if (kind === 'refund') return [];
  if (status === 'PENDING') return ['clearings', 'reversals'];
  return status === 'CLEARED' ? ['refunds'] : [];
}

function NextSteps({ transaction }: { transaction: TransactionDetail }) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: (followUp: FollowUp) => api.post(`sandbox/${followUp}/`, { transaction_id: transaction.id }),
    onSuccess: (_answer, followUp) => {
      showToast(FOLLOW_UPS[followUp].done);
      return queryClient.invalidateQueries({ queryKey: [programId] });
    },
  });
  const followUps = followUpsOf(transaction);
  if (followUps.length === 0) return null;
  return (
    <>
      <div className={classes.next}>
        {followUps.map((followUp) => {
          const { label, icon: Shape } = FOLLOW_UPS[followUp];
          return (
            <Button
              key={followUp}
              variant="default"
              loading={mutation.isPending && mutation.variables === followUp}
              disabled={mutation.isPending}
              leftSection={<Shape size={16} />}
              onClick={() => mutation.mutate(followUp)}
            >
              {label}
            </Button>
          );
        })}
      </div>
      {mutation.error && <ErrorPanel error={mutation.error} />}
    </>
  );
}
