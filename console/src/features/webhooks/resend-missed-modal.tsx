import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceSelect } from '../../components/choice-select.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import type { ProgramApi } from '../../lib/api.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import { endpointsQuery } from './queries.ts';

/** Resends everything that an endpoint has not received. */
export default function ResendMissedModal({ onClose }: { onClose: () => void }) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const endpoints = (useQuery(endpointsQuery(programId)).data ?? []).filter(
    ({ status }) => status !== 'DISABLED',
  );
  const [endpointId, setEndpointId] = useState('');
  const chosen = endpoints.filter(({ id }) => endpointId === '' || id === endpointId);
  const isPaused = chosen.length > 0 && chosen.every(({ status }) => status === 'PAUSED');
  const mutation = useMutation({
    mutationFn: () => resendAll(api, endpointId),
    onSuccess: (count) => {
      showToast(
        count === 0
          ? 'Everything was delivered, or is being sent for the first time.'
          : isPaused
            ? `${deliveries(count)} will be sent when the endpoint resumes.`
            : `Resending ${deliveries(count)}.`,
      );
      onClose();
      void queryClient.invalidateQueries({ queryKey: [programId, 'webhook-events'] });
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title="Resend everything undelivered?"
      consequences={[
        ...(isPaused
          ? [
              chosen.length === 1
                ? 'The endpoint is paused: the deliveries wait until it resumes.'
                : 'All endpoints are paused: the deliveries wait until they resume.',
            ]
          : []),
        'Resends now what failed, what waits for a retry, and what occurred while an endpoint was disabled.',
        'Delivered events are not resent. Event ids stay the same, so that a receiver can detect duplicates.',
      ]}
      action="Resend undelivered"
      size="lg"
      disabled={endpoints.length === 0}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <ChoiceSelect
        label="Endpoint"
        data={[
          { value: '', label: 'All endpoints' },
          ...endpoints.map(({ id, url }) => ({ value: id, label: url })),
        ]}
        value={endpointId}
        onChange={setEndpointId}
      />
    </ConfirmModal>
  );
}

const deliveries = (count: number): string => `${count} ${count === 1 ? 'delivery' : 'deliveries'}`;

/** Each request handles as many events as it can, and the server returns where to continue. */
async function resendAll(api: ProgramApi, endpointId: string): Promise<number> {
  let count = 0;
  let from: string | null | undefined;
  while (from !== null) {
    const answer: { deliveries: number; next: string | null } = await api.post(
      'merchant/webhook-events/resend/',
      { ...(from && { since: from }), ...(endpointId !== '' && { endpointId }) },
    );
    count += answer.deliveries;
    from = answer.next;
  }
  return count;
}
