import { useMutation } from '@tanstack/react-query';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useProgramApi } from '../../lib/program.ts';
import { tell } from '../../lib/toasts.ts';
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
        'You get a new secret. It is shown once.',
        'For 24 hours every delivery is signed with both, the old one and the new one. After that with the new one alone.',
        'A receiver that still has only the old secret then refuses what we send.',
      ]}
      action="Rotate secret"
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
      tell('The endpoint is enabled.');
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened={endpoint !== null}
      onClose={onClose}
      title="Enable the endpoint?"
      consequences={[
        'New events are sent to it from now on, and what was still on its way goes on.',
        'What came up while it was disabled is not sent by itself: use “Resend missed” in the list of events.',
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
      tell('The endpoint is removed.');
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened={endpoint !== null}
      onClose={onClose}
      title="Remove the endpoint?"
      consequences={[
        'Nothing is sent to it any more, and what is still on its way to it is given up.',
        'Its secret is gone. If you add the address again, it gets a new one.',
        'What was delivered, and every attempt, stays in the list of events.',
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
