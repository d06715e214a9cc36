import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { listQuery } from '../../components/list/queries.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { lastAttemptAt } from './delivery-state.ts';
import type { OpenedDialog } from './endpoint-dialogs.tsx';
import { EndpointRow } from './endpoint-row.tsx';
import { endpointsQuery, MAX_ENDPOINTS, type NewEndpoint, type WebhookEvent } from './queries.ts';
import classes from './webhooks-page.module.css';

/** Loaded with the first of them. */
const EndpointDialogs = lazy(() => import('./endpoint-dialogs.tsx'));

export function Endpoints() {
  const { id: programId } = useProgram();
  const mayManage = useMay('manager');
  const query = useQuery(endpointsQuery(programId));
  // Without filters the list of events below refreshes this query.
  const events = useInfiniteQuery(listQuery<WebhookEvent>(programId, 'webhook-events', {}));
  const newest = events.data?.pages.flatMap(({ results }) => results) ?? [];
  const queryClient = useQueryClient();
  const [adding, { open, close }] = useDisclosure(false);
  const [opened, setOpened] = useState<OpenedDialog | null>(null);
  const [shown, setShown] = useState<NewEndpoint | null>(null);
  const done = () => {
    close();
    setOpened(null);
    for (const key of ['webhooks', 'webhook-events'])
      void queryClient.invalidateQueries({ queryKey: [programId, key] });
  };
  const isFull = (query.data?.length ?? 0) >= MAX_ENDPOINTS;
  return (
    <Panel
      title="Endpoints"
      flush
      actions={
        mayManage && (
          <Button size="xs" onClick={open} disabled={isFull} leftSection={<IconPlus size={15} />}>
            Add endpoint
          </Button>
        )
      }
    >
      <Loaded query={query} outline={<ItemsOutline rows={2} />}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <EmptyState icon={IconWebhook} title="No endpoints yet">
              An endpoint is a URL on your server that receives events, such as a frozen card, a declined
              purchase or a finished report. Deliveries are signed, and failed ones are retried for three
              days.
            </EmptyState>
          ) : (
            <ul className={classes.list} aria-label="Endpoints">
              {endpoints.map((endpoint) => (
                <EndpointRow
                  key={endpoint.id}
                  endpoint={endpoint}
                  lastAttempt={lastAttemptAt(endpoint.id, newest)}
                  onAction={mayManage ? (action, on) => setOpened({ action, endpoint: on }) : undefined}
                />
              ))}
              {isFull && (
                <li className={classes.full}>A program can have at most {MAX_ENDPOINTS} endpoints.</li>
              )}
            </ul>
          )
        }
      </Loaded>
      {(adding || opened || shown) && (
        <Suspense>
          <EndpointDialogs
            adding={adding}
            opened={opened}
            shown={shown}
            onClose={() => {
              close();
              setOpened(null);
              setShown(null);
            }}
            onDone={done}
            onSecret={(endpoint) => {
              done();
              setShown(endpoint);
            }}
          />
        </Suspense>
      )}
    </Panel>
  );
}
