import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconWebhook } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { TableOutline } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { Endpoints } from './endpoints.tsx';
import { EventRow } from './event-row.tsx';
import { eventsQuery } from './queries.ts';
import { ResendMissedModal } from './resend-missed-modal.tsx';
import classes from './webhooks-page.module.css';

export function WebhooksPage() {
  const mayManage = useMay('manager');
  const mayResend = useMay('support');
  return (
    <Page
      title="Webhooks"
      intro="Events are sent to your servers as they happen, at least once. Failed deliveries are retried for three days."
    >
      {!mayManage && <RoleNote needed="manager" todo="Managing endpoints" />}
      <Endpoints />
      <Events mayResend={mayResend} />
    </Page>
  );
}

function Events({ mayResend }: { mayResend: boolean }) {
  const { id: programId } = useProgram();
  const query = useInfiniteQuery(eventsQuery(programId));
  const queryClient = useQueryClient();
  const [resending, { open, close }] = useDisclosure(false);
  const refresh = () => void queryClient.invalidateQueries(eventsQuery(programId));
  return (
    <Panel
      title="Events"
      flush
      actions={
        mayResend && (
          <Button size="xs" variant="default" onClick={open}>
            Resend missed
          </Button>
        )
      }
    >
      <Loaded query={query} outline={<TableOutline rows={8} />}>
        {({ pages }) => {
          const events = pages.flatMap(({ results }) => results);
          if (events.length === 0)
            return (
              <EmptyState icon={IconWebhook} title="No events yet">
                Every change to a card or a transaction creates an event, with or without endpoints.
              </EmptyState>
            );
          return (
            <>
              <ul className={classes.list} aria-label="Events">
                {events.map((event) => (
                  <EventRow key={event.eventId} event={event} mayResend={mayResend} onResent={refresh} />
                ))}
              </ul>
              <LoadMore query={query} />
            </>
          );
        }}
      </Loaded>
      <ResendMissedModal
        opened={resending}
        onClose={close}
        onDone={() => {
          close();
          refresh();
        }}
      />
    </Panel>
  );
}
