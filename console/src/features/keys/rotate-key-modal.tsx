import { Radio } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { useProgramApi } from '../../lib/program.ts';
import classes from './keys-page.module.css';
import { type ApiKey, type NewApiKey, needsPassword } from './queries.ts';

const OVERLAPS = [
  {
    value: '0',
    label: 'Not at all',
    description: 'Requests with the old key are rejected immediately.',
  },
  { value: '3600', label: '1 hour', description: 'For a change that you deploy right now.' },
  { value: '86400', label: '1 day', description: 'For most changes.' },
  { value: '604800', label: '7 days', description: 'When another team has to replace the key.' },
];

/** Creates a new key with the same permissions; the old key stays valid for a while. */
export function RotateKeyModal({
  apiKey,
  onClose,
  onCreated,
}: {
  apiKey: ApiKey | null;
  onClose: () => void;
  onCreated: (key: NewApiKey) => void;
}) {
  const api = useProgramApi();
  const [overlap, setOverlap] = useState('86400');
  const confirmation = useConfirmation();
  const isConfirmed = needsPassword(apiKey?.scopes ?? []);
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.post<NewApiKey>(`keys/${apiKey?.id}/rotate/`, {
        overlapSeconds: Number(overlap),
        ...(isConfirmed && confirmation.body),
      }),
    onSuccess: (key) => {
      confirmation.clear();
      onCreated(key);
    },
  });
  return (
    <ConfirmModal
      opened={apiKey !== null}
      onClose={() => {
        confirmation.clear();
        onClose();
      }}
      title={`Rotate API key “${apiKey?.name ?? ''}”`}
      consequences={[
        'You get a new key with the same name and the same permissions. It is shown only once.',
        `The old key (${apiKey?.hint ?? ''}) stays valid for the selected time, then expires.`,
      ]}
      action="Create new key"
      size="lg"
      disabled={isConfirmed && !confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <Radio.Group label="How long the old key stays valid" value={overlap} onChange={setOverlap}>
        <div className={classes.choices}>
          {OVERLAPS.map(({ value, label, description }) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </div>
      </Radio.Group>
      {isConfirmed && confirmation.fields}
    </ConfirmModal>
  );
}
