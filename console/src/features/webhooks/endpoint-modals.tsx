import { useMutation } from '@tanstack/react-query';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Message } from '../../lib/types.ts';
import type { Endpoint, NewEndpoint } from './queries.ts';
import classes from './webhooks-page.module.css';

export interface Subject {
  /** Null: the dialog is closed. */
  endpoint: Endpoint | null;
  onClose: () => void;
}

export const pathOf = (endpoint: Endpoint | null, rest = ''): string =>
  `merchant/webhook-endpoints/${endpoint?.id}/${rest}`;

export function RotateModal({
  endpoint,
  onClose,
  onRotated,
}: Subject & { onRotated: (endpoint: NewEndpoint) => void }) {
  const api = useProgramApi();
  const mutation = useMutation({
    mutationFn: () => api.post<NewEndpoint>(pathOf(endpoint, 'rotate-secret/')),
    onSuccess: onRotated,
  });
  return (
    <ConfirmModal
      opened={endpoint !== null}
      onClose={onClose}
      title="Rotate the secret?"
      consequences={[
        'You get a new secret. It is shown only once.',
        'For 24 hours deliveries are signed with both secrets, then with the new one only.',
        'After that, a receiver that only has the old secret can no longer verify deliveries.',
      ]}
      action="Rotate secret"
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint?.url}</p>
    </ConfirmModal>
  );
}

/** Pauses an endpoint, or resumes a paused one. */
export function PauseModal({ endpoint, onClose, onDone }: Subject & { onDone: () => void }) {
  const api = useProgramApi();
  const isPaused = endpoint?.status === 'PAUSED';
  const mutation = useMutation({
    mutationFn: () =>
      api.put<Endpoint>(pathOf(endpoint), {
        url: endpoint?.url,
        eventTypes: endpoint?.eventTypes ?? null,
        paused: !isPaused,
      }),
    onSuccess: ({ status }) => {
      showToast(status === 'PAUSED' ? 'Endpoint paused.' : 'Endpoint resumed.');
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened={endpoint !== null}
      onClose={onClose}
      title={isPaused ? 'Resume the endpoint?' : 'Pause the endpoint?'}
      consequences={
        isPaused
          ? ['Waiting events are sent immediately, the oldest first.']
          : [
              'Events wait until you resume the endpoint, for as long as you like. None are lost.',
              'An event that already waited for a retry may get only one more attempt after three days.',
            ]
      }
      action={isPaused ? 'Resume' : 'Pause'}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint?.url}</p>
    </ConfirmModal>
  );
}

export function EnableModal({ endpoint, onClose, onDone }: Subject & { onDone: () => void }) {
  const api = useProgramApi();
  const mutation = useMutation({
    mutationFn: () => api.post<Endpoint>(pathOf(endpoint, 'enable/')),
    onSuccess: () => {
      showToast('Endpoint enabled.');
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened={endpoint !== null}
      onClose={onClose}
      title="Enable the endpoint?"
      consequences={[
        'New events are sent to it from now on, and pending deliveries continue.',
        'Events that occurred while it was disabled are not sent automatically: use “Resend undelivered” in the list of events.',
      ]}
      action="Enable endpoint"
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint?.url}</p>
    </ConfirmModal>
  );
}

export function RemoveModal({ endpoint, onClose, onDone }: Subject & { onDone: () => void }) {
  const api = useProgramApi();
  const mutation = useMutation({
    mutationFn: () => api.delete<Message>(pathOf(endpoint)),
    onSuccess: () => {
      showToast('Endpoint removed.');
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened={endpoint !== null}
      onClose={onClose}
      title="Remove the endpoint?"
      consequences={[
        'No more events are sent to it, and pending deliveries to it are cancelled.',
        'Its secret is deleted. If you add the URL again, it gets a new secret.',
        'Past deliveries and attempts stay in the list of events.',
      ]}
      action="Remove endpoint"
      danger
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint?.url}</p>
    </ConfirmModal>
  );
}
