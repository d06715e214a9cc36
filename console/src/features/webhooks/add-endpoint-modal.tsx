import { Checkbox, Radio, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { EVENT_TYPES, type EventType, type NewEndpoint } from './queries.ts';
import classes from './webhooks-page.module.css';

const TYPES = Object.keys(EVENT_TYPES) as EventType[];

export function AddEndpointModal({
  opened,
  onClose,
  onAdded,
}: {
  opened: boolean;
  onClose: () => void;
  onAdded: (endpoint: NewEndpoint) => void;
}) {
  const { mode } = useProgram();
  const api = useProgramApi();
  const [url, setUrl] = useState('');
  const [takes, setTakes] = useState<'all' | 'some'>('all');
  const [types, setTypes] = useState<EventType[]>([]);
  const mutation = useMutation({
    mutationFn: () =>
      api.post<NewEndpoint>('merchant/webhook-endpoints/', {
        url: url.trim(),
        eventTypes: takes === 'all' ? null : types,
      }),
    onSuccess: (endpoint) => {
      setUrl('');
      setTakes('all');
      setTypes([]);
      onAdded(endpoint);
    },
  });
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Add a webhook endpoint"
      action="Add endpoint"
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
