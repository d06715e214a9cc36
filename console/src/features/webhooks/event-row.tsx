import { Button } from '@mantine/core';
import { IconChevronRight, IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { RealTime } from '../../components/real-time.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { ApiError } from '../../lib/api.ts';
import { useProgramApi } from '../../lib/program.ts';
import { formatTime, parseTime } from '../../lib/time.ts';
import { showToast } from '../../lib/toasts.ts';
import { Attempts } from './attempts.tsx';
import { answerWords, DELIVERY_STATES, stateOf, stateWords } from './delivery-state.ts';
import classes from './event-row.module.css';
import { eventWords } from './event-words.ts';
import type { Delivery, WebhookEvent } from './queries.ts';

/** One event; when opened, its deliveries to each endpoint. */
export function EventRow({
  event,
  mayResend,
  onResent,
}: {
  event: WebhookEvent;
  mayResend: boolean;
  onResent: () => void;
}) {
  const { eventName, eventId, created, deliveries } = event;
  // Renders the content when opened, because a page contains many events.
  const [opened, setOpened] = useState(false);
  return (
    <li className={classes.row}>
      <details onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
        <summary className={classes.summary}>
          <IconChevronRight size={16} className={classes.chevron} />
          <span className={classes.what}>
            <span className={classes.name}>{eventName}</span>
            <span className={classes.about}>{eventWords(event)}</span>
          </span>
          <span className={classes.outcome}>
            <Outcome deliveries={deliveries} />
          </span>
          <span className={classes.when}>
            <Timestamp value={created} />
          </span>
        </summary>
        {opened && (
          <div className={classes.body}>
            <div className={classes.head}>
              <span className={classes.id}>
                <span className={classes.muted}>Event id</span> <span className="mono">{eventId}</span>
                <CopyButton value={eventId} label="Copy event id" />
              </span>
              {mayResend && <Resend eventId={eventId} onResent={onResent} />}
            </div>
            {deliveries.length === 0 && (
              <p className={classes.muted}>No enabled endpoint received this event type at that time.</p>
            )}
            {deliveries.map((delivery) => (
              <DeliveryBlock key={delivery.endpointId} delivery={delivery} />
            ))}
            <details className={classes.data}>
              <summary>Payload</summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it with the arrow keys. */}
              <pre className={classes.code} tabIndex={0}>
                {JSON.stringify(event.data, null, 2)}
              </pre>
            </details>
          </div>
        )}
      </details>
    </li>
  );
}

function Outcome({ deliveries }: { deliveries: Delivery[] }) {
  if (deliveries.length === 0) return <ToneBadge tone="quiet">Not sent</ToneBadge>;
  return DELIVERY_STATES.map((state) => {
    const those = deliveries.filter((delivery) => stateOf(delivery) === state);
    const [first] = those;
    if (!first) return null;
    const [tone, words] = stateWords(state);
    return (
      <Fragment key={state}>
        {state === 'failing' && <Failing delivery={first} />}
        <ToneBadge tone={tone}>
          {words}
          {deliveries.length > 1 && ` (${those.length})`}
        </ToneBadge>
      </Fragment>
    );
  });
}

function Failing({ delivery: { attempts, nextAttempt } }: { delivery: Delivery }) {
  const last = attempts.at(-1);
  return (
    <span className={classes.failing}>
      {last && answerWords(last)}
      {nextAttempt && `, retry at ${formatTime(parseTime(nextAttempt))}`}
    </span>
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

function Resend({ eventId, onResent }: { eventId: string; onResent: () => void }) {
  const api = useProgramApi();
  const mutation = useMutation({
    mutationFn: () => api.post<{ deliveries: number }>(`merchant/webhook-events/${eventId}/resend/`),
    onSuccess: ({ deliveries }) => {
      showToast(
        deliveries === 0
          ? 'No enabled endpoint receives this event type.'
          : `Resending to ${deliveries} ${deliveries === 1 ? 'endpoint' : 'endpoints'}.`,
        deliveries === 0 ? 'bad' : 'good',
      );
      onResent();
    },
    onError: (error) =>
      showToast(error instanceof ApiError ? error.message : 'The event was not resent.', 'bad'),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={mutation.isPending}
      leftSection={<IconRefresh size={15} />}
      onClick={() => mutation.mutate()}
    >
      Resend
    </Button>
  );
}
