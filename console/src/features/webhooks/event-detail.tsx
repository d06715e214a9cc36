import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../components/copy-button.tsx';
import { RealTime } from '../../components/real-time.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { useProgram } from '../../lib/program.ts';
import { Attempts } from './attempts.tsx';
import { stateOf, stateWords } from './delivery-state.ts';
import classes from './event-detail.module.css';
import { subjectOf } from './event-words.ts';
import type { Delivery, WebhookEvent } from './queries.ts';
import { ResendButton } from './resend-button.tsx';

/** An event with its deliveries to each endpoint, and links to its transaction and card. */
export function EventDetail({ event, mayResend }: { event: WebhookEvent; mayResend: boolean }) {
  const { id: programId } = useProgram();
  const { eventId, deliveries } = event;
  const { cardId, transactionId } = subjectOf(event);
  return (
    <div className={classes.body}>
      <div className={classes.head}>
        <span className={classes.id}>
          <span className={classes.muted}>Event id</span> <span className="mono">{eventId}</span>
          <CopyButton value={eventId} label="Copy event id" />
        </span>
        <span className={classes.links}>
          {transactionId && (
            <Link to="/programs/$programId/transactions/$transactionId" params={{ programId, transactionId }}>
              View transaction
            </Link>
          )}
          {cardId && (
            <Link to="/programs/$programId/cards/$cardId" params={{ programId, cardId }}>
              View card
            </Link>
          )}
          {mayResend && <ResendButton events={[event]} />}
        </span>
      </div>
      {deliveries.length === 0 && (
        <p className={classes.muted}>No enabled endpoint received this event type at that time.</p>
      )}
      {deliveries.map((delivery) => (
        <DeliveryBlock key={delivery.endpointId} delivery={delivery} />
      ))}
      <details className={classes.data}>
        <summary>Payload</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it with the arrow keys. */}
        <pre className={classes.code} tabIndex={0}>
          {JSON.stringify(event.data, null, 2)}
        </pre>
      </details>
    </div>
  );
}

function DeliveryBlock({ delivery }: { delivery: Delivery }) {
  const { url, status, nextAttempt, attempts } = delivery;
  const [tone, words] = stateWords(stateOf(delivery));
  return (
    <section className={classes.delivery} aria-label={`Delivery to ${url}`}>
      <div className={classes.deliveryHead}>
        <strong className={classes.url}>{url}</strong>
        <ToneBadge tone={tone}>{words}</ToneBadge>
        {nextAttempt && attempts.length > 0 && (
          <span className={classes.muted}>
            Next attempt <RealTime value={nextAttempt} absolute />
          </span>
        )}
      </div>
      {attempts.length === 0 ? (
        <p className={classes.muted}>
          {status === 'PENDING' ? 'Waiting for the first attempt.' : 'Never attempted.'}
        </p>
      ) : (
        <Attempts attempts={attempts} />
      )}
    </section>
  );
}
