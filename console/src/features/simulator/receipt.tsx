import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Amount } from '../../components/amount.tsx';
import { SpentAmount } from '../../components/spent-amount.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { placeOf } from '../../lib/countries.ts';
import { useProgram } from '../../lib/program.ts';
import type { LifeEvent, TransactionLife } from '../../lib/types.ts';
import { MatchedRules, rulesIn } from '../rules/matched-rules.tsx';
import { decidingEvent, decisionWords, eventAmount, isAdvice } from '../transactions/decision-words.ts';
import { declineWords } from '../transactions/filters.ts';
import { FLAGS } from '../transactions/flag-words.ts';
import { NextSteps } from './next-steps.tsx';
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
  const rules = rulesIn(life);
  const { kind, merchant, decline, status, total, billCurrency, amount, currency, fees, flags } = transaction;
  return (
    <article ref={paper} className={classes.receipt} aria-label="Receipt">
      <header className={classes.head}>
        <strong className={classes.merchant}>{merchant?.name}</strong>
        <span>{merchant && placeOf(merchant)}</span>
        <Timestamp value={transaction.created} absolute />
      </header>
      <div className={classes.sum}>
        <span className={classes.amount}>
          <SpentAmount value={total} currency={billCurrency} />
        </span>
        <span className={classes.stamp} data-tone={decline ? 'bad' : 'good'} role="status">
          {kind === 'refund' && status === 'PENDING' ? 'Announced' : STAMPS[status]}
        </span>
      </div>
      <dl className={classes.lines}>
        {currency !== billCurrency && (
          <Line label="Merchant amount" value={<SpentAmount value={amount} currency={currency} />} />
        )}
        {Number(fees.fx) > 0 && (
          <Line label="FX fee" value={<Amount value={fees.fx} currency={billCurrency} />} />
        )}
        {Number(fees.atm) > 0 && (
          <Line label="ATM fee" value={<Amount value={fees.atm} currency={billCurrency} />} />
        )}
        <Line label="Card" value={`••••\u00a0${transaction.lastFour}`} />
        {transaction.approvalCode && <Line label="Approval code" value={transaction.approvalCode} />}
        {decline && <Line label="Network code" value={decline.networkCode} />}
        {flags.length > 0 && <Line label="Flags" value={flags.map((flag) => FLAGS[flag][0]).join(', ')} />}
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
      {rules.length > 0 && <MatchedRules rules={rules} />}
      <ol className={classes.steps} aria-label="Events">
        {events.map((event) => (
          <li key={event.id}>
            <span>{stepOf(event)}</span>
            {event.name !== 'transaction.updated' && (
              <SpentAmount value={eventAmount(event, event.total, kind)} currency={event.billCurrency} />
            )}
          </li>
        ))}
        {refunds.map((refund) => (
          <li key={refund.id}>
            <span>Refunded</span>
            <SpentAmount value={refund.total} currency={refund.billCurrency} />
          </li>
        ))}
      </ol>
      <NextSteps life={life} />
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
  'transaction.updated': 'Linked to its purchase',
};

const stepOf = (event: LifeEvent): string =>
  isAdvice(event) ? `Advice: ${event.decline ? 'declined' : 'approved'}` : (STEPS[event.name] ?? event.name);

function Line({ label, value }: { label: string; value: React.ReactNode }) {
  return (
    <div className={classes.line}>
      <dt>{label}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}
