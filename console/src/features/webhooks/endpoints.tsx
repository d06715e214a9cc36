import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { listQuery } from '../../components/list/queries.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { SecretModal } from '../../components/secret-modal.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { lastAttemptAt } from './delivery-state.ts';
import { EnableModal, PauseModal, RemoveModal, RotateModal } from './endpoint-modals.tsx';
import { type EndpointAction, EndpointRow } from './endpoint-row.tsx';
import {
  type Endpoint,
  endpointsQuery,
  MAX_ENDPOINTS,
  type NewEndpoint,
  type WebhookEvent,
} from './queries.ts';
import classes from './webhooks-page.module.css';

const EndpointFormModal = lazy(async () => ({
  default: (await import('./endpoint-form-modal.tsx')).EndpointFormModal,
}));
const TestModal = lazy(async () => ({ default: (await import('./test-modal.tsx')).TestModal }));

export function Endpoints() {
  const { id: programId } = useProgram();
  const mayManage = useMay('manager');
  const query = useQuery(endpointsQuery(programId));
  // Without filters the list of events below refreshes this query.
  const events = useInfiniteQuery(listQuery<WebhookEvent>(programId, 'webhook-events', {}));
  const newest = events.data?.pages.flatMap(({ results }) => results) ?? [];
  const queryClient = useQueryClient();
  const [adding, { open, close }] = useDisclosure(false);
  const [opened, setOpened] = useState<{ action: EndpointAction; endpoint: Endpoint } | null>(null);
  const [shown, setShown] = useState<NewEndpoint | null>(null);
  const done = () => {
    setOpened(null);
    for (const key of ['webhooks', 'webhook-events'])
      void queryClient.invalidateQueries({ queryKey: [programId, key] });
  };
  const show = (endpoint: NewEndpoint) => {
    close();
    done();
    setShown(endpoint);
  };
  const subject = (action: EndpointAction) => ({
    endpoint: opened?.action === action ? opened.endpoint : null,
    onClose: () => setOpened(null),
  });
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
      <Suspense>
        {(adding || opened?.action === 'edit') && (
          <EndpointFormModal
            opened
            endpoint={opened?.action === 'edit' ? opened.endpoint : null}
            onClose={() => {
              close();
              setOpened(null);
            }}
            onSaved={(endpoint) => {
              close();
              done();
              if ('secret' in endpoint) setShown(endpoint);
            }}
          />
        )}
        {opened?.action === 'test' && <TestModal {...subject('test')} />}
      </Suspense>
      <PauseModal {...subject('pause')} onDone={done} />
      <EnableModal {...subject('enable')} onDone={done} />
      <RemoveModal {...subject('remove')} onDone={done} />
      <RotateModal {...subject('rotate')} onRotated={show} />
      <SecretModal title="Endpoint secret" secret={shown?.secret ?? null} onClose={() => setShown(null)}>
        <p>Your server uses this secret to verify that a delivery comes from Emboss and was not altered:</p>
        <p className={classes.url}>{shown?.url}</p>
      </SecretModal>
    </Panel>
  );
}
