import { useMutation } from '@tanstack/react-query';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Message } from '../../lib/types.ts';
import classes from './decisions-page.module.css';
import { ENDPOINT_PATH, type Endpoint, type EndpointRequest, type NewEndpoint } from './queries.ts';
import { ON_FAILURE } from './words.ts';

export interface Dialog {
  endpoint: Endpoint;
  opened: boolean;
  onClose: () => void;
}

export function PauseModal({ endpoint, opened, onClose, onDone }: Dialog & { onDone: () => void }) {
  const api = useProgramApi();
  const { url, timeoutMs, onFailure, standIn, paused } = endpoint;
  const mutation = useMutation({
    mutationFn: () => {
      const wanted: EndpointRequest = { url, timeoutMs, onFailure, standIn, paused: !paused };
      return api.put<Endpoint>(ENDPOINT_PATH, wanted);
    },
    onSuccess: () => {
      showToast(paused ? 'Your server is asked again.' : 'Your server is no longer asked.');
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title={paused ? 'Resume asking your server?' : 'Stop asking your server?'}
      consequences={
        paused
          ? ['From the next authorization on, your server decides again.']
          : [
              'It takes effect at once: no more requests are sent until you resume.',
              `Meanwhile the rule for a missing response applies, “${ON_FAILURE[onFailure].label}”: ${ON_FAILURE[onFailure].words}`,
            ]
      }
      action={paused ? 'Resume' : 'Pause'}
      danger={!paused}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{url}</p>
    </ConfirmModal>
  );
}

export function RotateModal({
  endpoint,
  opened,
  onClose,
  onDone,
}: Dialog & { onDone: (rotated: NewEndpoint) => void }) {
  const api = useProgramApi();
  const mutation = useMutation({
    mutationFn: () => api.post<NewEndpoint>(`${ENDPOINT_PATH}rotate-secret/`),
    onSuccess: onDone,
  });
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Rotate the secret?"
      consequences={[
        'You get a new secret. It is shown only once.',
        'For 24 hours requests are signed with both secrets, then with the new one only.',
        'After that, a server that only has the old secret can no longer verify requests.',
      ]}
      action="Rotate secret"
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint.url}</p>
    </ConfirmModal>
  );
}

export function RemoveModal({ endpoint, opened, onClose, onDone }: Dialog & { onDone: () => void }) {
  const api = useProgramApi();
  const mutation = useMutation({
    mutationFn: () => api.delete<Message>(ENDPOINT_PATH),
    onSuccess: () => {
      showToast('Endpoint removed.');
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Remove the endpoint?"
      consequences={[
        'Its secret is deleted. If you add the URL again, it gets a new secret.',
        'Increments of purchases made in Real-time or Both mode are declined, because there is no server to ask.',
      ]}
      action="Remove endpoint"
      danger
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint.url}</p>
    </ConfirmModal>
  );
}
