import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../lib/api.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { WebhookEvent } from './queries.ts';

/** Resends events, one after the other, each as a change of its own. */
export function ResendButton({ events, onResent }: { events: WebhookEvent[]; onResent?: () => void }) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: async () => {
      let count = 0;
      for (const { eventId } of events)
        count += (await api.post<{ deliveries: number }>(`merchant/webhook-events/${eventId}/resend/`))
          .deliveries;
      return count;
    },
    onSuccess: (count) => {
      showToast(
        count === 0
          ? 'No enabled endpoint receives this event type.'
          : `Resending ${count} ${count === 1 ? 'delivery' : 'deliveries'}.`,
        count === 0 ? 'bad' : 'good',
      );
      onResent?.();
    },
    onError: (error) =>
      showToast(error instanceof ApiError ? error.message : 'The event was not resent.', 'bad'),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [programId, 'webhook-events'] }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={mutation.isPending}
      leftSection={<IconRefresh size={15} />}
      onClick={() => mutation.mutate()}
    >
      {events.length > 1 ? `Resend ${events.length} events` : 'Resend'}
    </Button>
  );
}
