import {
  type Icon,
  IconArrowBackUp,
  IconArrowRight,
  IconBan,
  IconCash,
  IconCheck,
  IconClock,
  IconInfoCircle,
  IconLink,
  IconTag,
} from '@tabler/icons-react';
import { Fragment } from 'react';
import { Amount } from '../../components/amount.tsx';
import { SpentAmount } from '../../components/spent-amount.tsx';
import type { Tone } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { LifeEvent, TransactionDetail, TransactionLife } from '../../lib/types.ts';
import { DeclineNumbers } from '../limits/decline-numbers.tsx';
import { MatchedRules } from '../rules/matched-rules.tsx';
import { authenticationWords } from './authentication-words.ts';
import { DecisionNote } from './decision-note.tsx';
import { eventAmount, isAdvice } from './decision-words.ts';
import { DeclineNote } from './decline-note.tsx';
import classes from './life-timeline.module.css';

interface Step {
  title: string;
  words: string;
  icon: Icon;
  tone: Tone;
}

const STEPS: Record<string, Step> = {
  authorization: {
    title: 'Authorized',
    words: 'The amount was put on hold; nothing was paid yet.',
    icon: IconCheck,
    tone: 'good',
  },
  'authorization.declined': {
    title: 'Declined',
    words: 'No money moved.',
    icon: IconBan,
    tone: 'bad',
  },
  'authorization.increment': {
    title: 'Hold raised',
    words: 'The merchant requested a larger hold.',
    icon: IconCheck,
    tone: 'good',
  },
  'authorization.reversal': {
    title: 'Reversed',
    words: 'The merchant released the hold.',
    icon: IconArrowBackUp,
    tone: 'quiet',
  },
  'authorization.clearing': {
    title: 'Cleared',
    words: 'The merchant collected the money.',
    icon: IconCash,
    tone: 'cool',
  },
  'authorization.clearing.reversal': {
    title: 'Clearing reversed',
    words: 'The network took the clearing back, so the money is available again.',
    icon: IconArrowBackUp,
    tone: 'quiet',
  },
  'authorization.expired': {
    title: 'Hold released',
    words: 'The hold expired before the merchant cleared it, so the money is available again.',
    icon: IconClock,
    tone: 'quiet',
  },
  refund: {
    title: 'Refunded',
    words: 'The merchant returned the money.',
    icon: IconArrowBackUp,
    tone: 'good',
  },
  'refund.reversal': {
    title: 'Refund reversed',
    words: 'The network took the refund back.',
    icon: IconArrowBackUp,
    tone: 'quiet',
  },
  'transaction.updated': {
    title: 'Linked to its purchase',
    words: 'The purchase that this refund names arrived after it.',
    icon: IconLink,
    tone: 'quiet',
  },
};
const METADATA: Partial<Step> = { title: 'Metadata changed', words: '', icon: IconTag };
const CHECK: Partial<Step> = {
  title: 'Account check',
  words: 'Only the card was checked; no money was put on hold.',
};

const ADVICE = {
  approved: {
    title: 'Approved by the network',
    words: 'The network approved in our place. The amount is on hold, less what has cleared.',
  },
  declined: {
    title: 'Declined by the network',
    words: 'The network declined in our place. What was still on hold was released.',
  },
} satisfies Record<string, Partial<Step>>;
const ANNOUNCED: Partial<Step> = {
  title: 'Refund announced',
  words: 'The merchant announced a refund. No money moves until the refund comes.',
};
const NOT_REFUNDED: Partial<Step> = { title: 'Refund did not come', words: 'It is not expected any more.' };
const INCREMENT_REVERSED: Partial<Step> = {
  title: 'Increment reversed',
  words: 'The merchant took an increment of the hold back.',
};

const INCREMENT: Partial<Step> = {
  title: 'Increment declined',
  words: 'The merchant requested a larger hold. The hold did not change.',
};

/** The events of a transaction, oldest first, each with its transfers. Of a long history, the first and the newest. */
export function LifeTimeline({ life }: { life: TransactionLife }) {
  const { transaction, events, eventsTotal: total } = life;
  const leftOut = total - events.length;
  return (
    <>
      {leftOut > 0 && (
        <p className={classes.muted}>
          {total} events. {leftOut} between the first and the newest are not shown.
        </p>
      )}
      <ol className={classes.life}>
        {events.map((event) => (
          <Step
            key={event.id}
            event={event}
            transaction={transaction}
            isOwn={isAdvice(event) || event.messageId === transaction.externalTransactionId}
          />
        ))}
      </ol>
    </>
  );
}

/** `isOwn`: of the authorization itself; else a decline is that of an increment. */
/** No message of the network. */
const isMetadata = ({ changed }: LifeEvent): boolean => changed?.includes('metadata') ?? false;

function stepOf(event: LifeEvent, { kind }: TransactionDetail, isOwn: boolean): Step {
  const { name, billAmount, reverses } = event;
  const step = STEPS[name] ?? { title: name, words: '', icon: IconInfoCircle, tone: 'quiet' };
  const isRefund = kind === 'refund';
  if (isMetadata(event)) return { ...step, ...METADATA };
  if (isAdvice(event) && !isRefund) return { ...step, ...ADVICE[event.decline ? 'declined' : 'approved'] };
  if (name === 'authorization.declined' && !isOwn) return { ...step, ...INCREMENT };
  if (name === 'authorization.reversal' && reverses) return { ...step, ...INCREMENT_REVERSED };
  if (isRefund && name === 'authorization') return { ...step, ...ANNOUNCED };
  if (isRefund && (name === 'authorization.expired' || name === 'authorization.reversal'))
    return { ...step, ...NOT_REFUNDED };
  return name === 'authorization' && Number(billAmount) === 0 ? { ...step, ...CHECK } : step;
}

function Step({
  event,
  transaction,
  isOwn,
}: {
  event: LifeEvent;
  transaction: TransactionDetail;
  isOwn: boolean;
}) {
  const { title, words, icon: Shape, tone } = stepOf(event, transaction, isOwn);
  const { amount, currency, total, billCurrency } = event;
  const { kind } = transaction;
  const moves = event.name !== 'transaction.updated';
  return (
    <li className={classes.step}>
      <span className={classes.dot} data-tone={tone}>
        <Shape size={16} />
      </span>
      <div className={classes.body}>
        <div className={classes.head}>
          <h3 className={classes.title}>{title}</h3>
          {moves && (
            <strong>
              <SpentAmount value={eventAmount(event, total, kind)} currency={billCurrency} />
            </strong>
          )}
          {moves && amount !== null && currency !== billCurrency && (
            <span className={classes.muted}>
              <SpentAmount value={eventAmount(event, amount, kind)} currency={currency} />
            </span>
          )}
        </div>
        <p className={classes.words}>
          {words} <Parts event={event} />
        </p>
        {event.decision && (
          <div className={classes.words}>
            <DecisionNote event={event} />
          </div>
        )}
        {/* That of the authorization is shown above. An increment is judged by the raised amount. */}
        {event.decision && event.authentication && !isOwn && (
          <p className={classes.words}>{authenticationWords(event.authentication)}</p>
        )}
        {/* The decline of the transaction itself is explained above. */}
        {event.decline && !(isOwn && transaction.decline) && (
          <div className={classes.words}>
            <DeclineNote decline={event.decline} />
            <DeclineNumbers decline={event.decline} purchase={event} />
          </div>
        )}
        {/* Those of the authorization are shown above. */}
        {event.rules && !isOwn && <MatchedRules rules={event.rules} />}
        <p className={classes.muted}>
          <Timestamp value={event.created} absolute />
          {!isMetadata(event) && (
            <>
              {' '}
              · message <span className="mono">{event.messageId}</span>
            </>
          )}
          {event.reverses && (
            <>
              {' '}
              · takes back <span className="mono">{event.reverses}</span>
            </>
          )}
        </p>
        <Transfers event={event} />
      </div>
    </li>
  );
}

/** Fees are held, charged and released together with the amount. */
function Parts({ event: { billAmount, billCurrency, fees } }: { event: LifeEvent }) {
  const parts = [
    ['FX fee', fees.fx],
    ['ATM fee', fees.atm],
  ].filter(([, value]) => Number(value) > 0);
  if (parts.length === 0) return null;
  return (
    <>
      <Amount value={billAmount} currency={billCurrency} /> for the purchase
      {parts.map(([words, value], index) => (
        <Fragment key={words}>
          {index < parts.length - 1 ? ', ' : ' and '}
          <Amount value={value as string} currency={billCurrency} /> {words}
        </Fragment>
      ))}
      .
    </>
  );
}

/** The ledger's transfer codes with their labels. */
const TRANSFERS: Record<string, string> = {
  credit_hold: "Reserved from the card's credit",
  hold: 'Hold on the master account',
  credit_release: "Returned to the card's credit",
  release: 'Returned to the master account',
  clearing: 'Owed to the card network',
  fx_fee: 'FX fee',
  atm_fee: 'ATM fee',
  interchange: 'Interchange',
  transaction_cost: 'Transaction cost',
  credit_refund: "Returned to the card's credit",
  refund: 'Returned to the master account',
};

function Transfers({ event: { transfers, billCurrency } }: { event: LifeEvent }) {
  if (transfers.length === 0) return null;
  return (
    <table className={classes.transfers} aria-label="Ledger transfers">
      <thead>
        <tr>
          <th scope="col">Ledger transfer</th>
          <th scope="col">From (debit)</th>
          <th scope="col">To (credit)</th>
          <th scope="col" data-align="right">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {transfers.map(({ id, code, debit, credit, amount }) => (
          <tr key={id}>
            <td>{TRANSFERS[code] ?? code.replaceAll('_', ' ')}</td>
            <td>{debit}</td>
            <td>
              <IconArrowRight size={14} className={classes.arrow} /> {credit}
            </td>
            <td data-align="right">
              <Amount value={amount} currency={billCurrency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
