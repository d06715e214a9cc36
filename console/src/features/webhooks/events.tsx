import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/list/column.ts';
import { List } from '../../components/list/list.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import classes from './event-detail.module.css';
import { EventDetail } from './event-detail.tsx';
import { eventFilters } from './event-filters.ts';
import { Outcome } from './event-outcome.tsx';
import { eventWords } from './event-words.ts';
import { endpointsQuery, refreshMs, type WebhookEvent } from './queries.ts';
import { ResendButton } from './resend-button.tsx';

const ResendMissedModal = lazy(() => import('./resend-missed-modal.tsx'));

const route = getRouteApi('/programs/$programId/webhooks');

const COLUMNS: Array<Column<WebhookEvent>> = [
  {
    key: 'event',
    header: 'Event',
    cell: (event) => (
      <span className={classes.what}>
        <span className={classes.name}>{event.eventName}</span>
        <span className={classes.muted}>{eventWords(event)}</span>
        <span className={`${classes.outcome} ${classes.onPhone}`}>
          <Outcome deliveries={event.deliveries} />
        </span>
      </span>
    ),
  },
  {
    key: 'deliveries',
    header: 'Deliveries',
    from: 'sm',
    wraps: true,
    cell: ({ deliveries }) => (
      <span className={classes.outcome}>
        <Outcome deliveries={deliveries} />
      </span>
    ),
  },
  {
    key: 'created',
    header: 'Created',
    align: 'right',
    from: 'sm',
    sorts: true,
    cell: ({ created }) => <Timestamp value={created} />,
  },
  {
    key: 'id',
    header: 'Event id',
    extra: true,
    cell: ({ eventId }) => <span className="mono">{eventId}</span>,
  },
];

export function Events({ mayResend }: { mayResend: boolean }) {
  const { id: programId } = useProgram();
  const navigate = route.useNavigate();
  const endpoints = useQuery(endpointsQuery(programId)).data ?? [];
  const [resending, { open, close }] = useDisclosure(false);
  return (
    <>
      <List<WebhookEvent>
        list="webhook-events"
        title="Events"
        label="Events"
        nouns={['event', 'events']}
        filters={eventFilters(endpoints)}
        search={route.useSearch()}
        onSearch={(change) => void navigate({ search: change, replace: true })}
        columns={COLUMNS}
        rowKey={({ eventId }) => eventId}
        nameOf={({ eventName, eventId }) => `${eventName} ${eventId}`}
        detailOf={(event) => <EventDetail event={event} mayResend={mayResend} />}
        bulk={mayResend ? (events, clear) => <ResendButton events={events} onResent={clear} /> : undefined}
        refreshMs={refreshMs}
        actions={
          mayResend && (
            <Button size="xs" variant="default" onClick={open}>
              Resend undelivered
            </Button>
          )
        }
        empty={
          <EmptyState icon={IconWebhook} title="No events yet">
            Every change to a card or a transaction creates an event, with or without endpoints.
          </EmptyState>
        }
      />
      {resending && (
        <Suspense>
          <ResendMissedModal onClose={close} />
        </Suspense>
      )}
    </>
  );
}
