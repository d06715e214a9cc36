import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { RealTime } from '../../components/real-time.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { ApiError } from '../../lib/api.ts';
import { useProgramApi } from '../../lib/program.ts';
import { tell } from '../../lib/toasts.ts';
import { Attempts } from './attempts.tsx';
import classes from './event-row.module.css';
import type { Delivery, WebhookEvent } from './queries.ts';

/** One event; opened, what became of it at each endpoint. */
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
  // What is inside is drawn once it is wanted: a page holds many events.
  const [opened, setOpened] = useState(false);
  return (
    <li className={classes.row}>
      <details onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
        <summary className={classes.summary}>
          <Icon name="chevron" size={16} className={classes.chevron} />
          <span className={classes.name}>{eventName}</span>
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
              <p className={classes.muted}>No endpoint took events of this type when it happened.</p>
            )}
            {deliveries.map((delivery) => (
              <DeliveryBlock key={delivery.endpointId} delivery={delivery} />
            ))}
            <details className={classes.data}>
              <summary>What was sent</summary>
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

const STATES = {
  PENDING: ['warn', 'On its way'],
  DELIVERED: ['good', 'Delivered'],
  FAILED: ['bad', 'Failed'],
} as const;

function Outcome({ deliveries }: { deliveries: Delivery[] }) {
  if (deliveries.length === 0) return <ToneBadge tone="quiet">Sent to nobody</ToneBadge>;
  return Object.entries(STATES).map(([status, [tone, words]]) => {
    const count = deliveries.filter((delivery) => delivery.status === status).length;
    if (count === 0) return null;
    return (
      <ToneBadge key={status} tone={tone}>
        {words}
        {deliveries.length > 1 && ` (${count})`}
      </ToneBadge>
    );
  });
}

function DeliveryBlock({ delivery: { url, status, nextAttempt, attempts } }: { delivery: Delivery }) {
  const [tone, words] = STATES[status];
  return (
    <section className={classes.delivery} aria-label={`Delivery to ${url}`}>
      <div className={classes.deliveryHead}>
        <strong className={classes.url}>{url}</strong>
        <ToneBadge tone={tone}>{words}</ToneBadge>
        {nextAttempt && attempts.length > 0 && (
          <span className={classes.muted}>
            Next try <RealTime value={nextAttempt} absolute />
          </span>
        )}
      </div>
      {attempts.length === 0 ? (
        <p className={classes.muted}>
          {status === 'PENDING' ? 'The first try is about to be made.' : 'It was never tried.'}
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
      tell(
        deliveries === 0
          ? 'No enabled endpoint takes events of this type.'
          : `Sent again to ${deliveries} ${deliveries === 1 ? 'endpoint' : 'endpoints'}.`,
        deliveries === 0 ? 'bad' : 'good',
      );
      onResent();
    },
    onError: (error) => tell(error instanceof ApiError ? error.message : 'It was not sent.', 'bad'),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={mutation.isPending}
      leftSection={<Icon name="renew" size={15} />}
      onClick={() => mutation.mutate()}
    >
      Send again
    </Button>
  );
}
