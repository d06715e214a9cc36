import { NativeSelect, Radio } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { MinuteInput } from '../../components/day-input.tsx';
import type { ProgramApi } from '../../lib/api.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import { useNow } from '../../lib/use-now.ts';
import { endpointsQuery } from './queries.ts';
import classes from './webhooks-page.module.css';

const HOUR_MS = 3_600_000;
const SPANS: Array<[hours: string, label: string]> = [
  ['1', 'The last hour'],
  ['24', 'The last day'],
  ['72', 'The last 3 days'],
  ['own', 'Custom start time'],
];

/** Resends the events since a time that failed, or that occurred while an endpoint was disabled. */
export function ResendMissedModal({
  opened,
  onClose,
  onDone,
}: {
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const now = useNow();
  const endpoints = (useQuery(endpointsQuery(programId)).data ?? []).filter(
    ({ status }) => status === 'ENABLED',
  );
  const [span, setSpan] = useState('24');
  const [own, setOwn] = useState('');
  const [endpointId, setEndpointId] = useState('');
  const sinceMs =
    span === 'own' ? Date.parse(`${own.replace(' ', 'T')}:00Z`) : now.getTime() - Number(span) * HOUR_MS;
  const mutation = useMutation({
    mutationFn: () => resendAll(api, new Date(sinceMs).toISOString(), endpointId),
    onSuccess: (count) => {
      showToast(
        count === 0 ? 'No missed events.' : `Resending ${count} ${count === 1 ? 'delivery' : 'deliveries'}.`,
      );
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Resend missed events"
      consequences={[
        'Resends deliveries that failed permanently, and events that occurred while an endpoint was disabled.',
        'Delivered events are not resent. Event ids stay the same, so that a receiver can detect duplicates.',
      ]}
      action="Resend missed"
      size="lg"
      disabled={Number.isNaN(sinceMs) || endpoints.length === 0}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <Radio.Group label="Period" value={span} onChange={setSpan}>
        <div className={classes.choices}>
          {SPANS.map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </div>
      </Radio.Group>
      {span === 'own' && <MinuteInput label="Start date and time (UTC)" value={own} onChange={setOwn} />}
      <NativeSelect
        label="Endpoint"
        data={[
          { value: '', label: 'All enabled endpoints' },
          ...endpoints.map(({ id, url }) => ({ value: id, label: url })),
        ]}
        value={endpointId}
        onChange={(event) => setEndpointId(event.currentTarget.value)}
      />
    </ConfirmModal>
  );
}

/** Each request handles as many events as it can, and the server returns where to continue. */
async function resendAll(api: ProgramApi, since: string, endpointId: string): Promise<number> {
  let count = 0;
  for (let from: string | null = since; from !== null; ) {
    const answer: { deliveries: number; next: string | null } = await api.post(
      'merchant/webhook-events/resend/',
      { since: from, ...(endpointId !== '' && { endpointId }) },
    );
    count += answer.deliveries;
    from = answer.next;
  }
  return count;
}
