import { Checkbox, Radio, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { pathOf } from './endpoint-modals.tsx';
import { type Endpoint, EVENT_TYPES, type EventType, type NewEndpoint } from './queries.ts';
import classes from './webhooks-page.module.css';

const TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** Adds an endpoint, or changes the URL and the event types of one. */
export function EndpointFormModal({
  endpoint,
  opened,
  onClose,
  onSaved,
}: {
  /** Null: a new one. */
  endpoint: Endpoint | null;
  opened: boolean;
  onClose: () => void;
  /** A new endpoint comes with its secret. */
  onSaved: (endpoint: NewEndpoint | Endpoint) => void;
}) {
  const { mode } = useProgram();
  const api = useProgramApi();
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [takes, setTakes] = useState<'all' | 'some'>(endpoint?.eventTypes ? 'some' : 'all');
  const [types, setTypes] = useState<EventType[]>(endpoint?.eventTypes ?? []);
  const mutation = useMutation({
    mutationFn: () => {
      const wanted = { url: url.trim(), eventTypes: takes === 'all' ? null : types };
      return endpoint
        ? api.put<Endpoint>(pathOf(endpoint), { ...wanted, paused: endpoint.status === 'PAUSED' })
        : api.post<NewEndpoint>('merchant/webhook-endpoints/', wanted);
    },
    onSuccess: onSaved,
  });
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title={endpoint ? 'Edit the webhook endpoint' : 'Add a webhook endpoint'}
      {...(endpoint && {
        consequences: [
          'Pending deliveries go to the new URL. The secret stays the same.',
          'An event type that you add is sent from now on.',
        ],
      })}
      action={endpoint ? 'Save endpoint' : 'Add endpoint'}
      size="lg"
      disabled={url.trim() === '' || (takes === 'some' && types.length === 0)}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <TextInput
        label="URL"
        type="url"
        description={
          mode === 'live'
            ? 'An https URL on a public address. Emboss posts events to it and expects a 2xx response within 15 seconds.'
            : 'Emboss posts events to it and expects a 2xx response within 15 seconds. Sandbox programs may use http and localhost.'
        }
        placeholder="https://merchant.example/webhooks"
        maxLength={2048}
        data-autofocus
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Radio.Group label="Events" value={takes} onChange={(value) => setTakes(value as 'all' | 'some')}>
        <div className={classes.choices}>
          <Radio value="all" label="All events" description="Includes event types added in later versions." />
          <Radio value="some" label="Selected events only" />
        </div>
      </Radio.Group>
      {takes === 'some' && (
        <Checkbox.Group
          aria-label="Event types"
          value={types}
          onChange={(values) => setTypes(TYPES.filter((type) => values.includes(type)))}
        >
          <div className={`${classes.choices} ${classes.indented}`}>
            {TYPES.map((type) => (
              <Checkbox
                key={type}
                value={type}
                label={EVENT_TYPES[type].label}
                description={EVENT_TYPES[type].words}
              />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </ConfirmModal>
  );
}
