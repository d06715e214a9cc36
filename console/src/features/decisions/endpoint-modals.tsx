import { useMutation } from '@tanstack/react-query';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Message } from '../../lib/types.ts';
import classes from './decisions-page.module.css';
import { type Endpoint, type EndpointRequest, endpointPath, type Mode, type NewEndpoint } from './queries.ts';
import { useUntested } from './use-untested.tsx';
import { isInCharge, KINDS, ON_FAILURE, WHY_PASSWORD } from './words.ts';

interface Dialog {
  endpoint: Endpoint;
  onClose: () => void;
}

export function PauseModal({ endpoint, mode, onClose, onDone }: Dialog & { mode: Mode; onDone: () => void }) {
  const api = useProgramApi();
  const confirmation = useConfirmation(WHY_PASSWORD);
  const { kind, url, timeoutMs, onFailure, standIn, paused } = endpoint;
  const { withoutAnswer } = KINDS[kind];
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () => {
      const rule = onFailure ? { onFailure, standIn } : {};
      const wanted: EndpointRequest = { url, timeoutMs, ...rule, paused: !paused };
      return api.put(endpointPath(kind), { ...wanted, ...confirmation.body, ...untested.body });
    },
    onSuccess: () => {
      showToast(
        paused ? 'Emboss sends decision requests again.' : 'Emboss no longer sends decision requests.',
      );
      onDone();
    },
  });
  const untested = useUntested(mutation.error);
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={paused ? 'Resume the endpoint?' : 'Pause the endpoint?'}
      consequences={
        paused
          ? [
              ...(isInCharge(kind, mode)
                ? [
                    'First a signed test request is sent. Without a usable response the endpoint stays paused.',
                  ]
                : []),
              KINDS[kind].resumed,
            ]
          : [
              'It takes effect at once: no more requests are sent until you resume.',
              `Meanwhile the rule for a missing response applies${onFailure ? `, “${ON_FAILURE[onFailure].label}”: ${ON_FAILURE[onFailure].words}` : `: ${withoutAnswer}`}`,
            ]
      }
      action={paused ? 'Resume' : 'Pause'}
      danger={!paused}
      disabled={!confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{url}</p>
      {confirmation.fields}
      {untested.field}
    </ConfirmModal>
  );
}

export function RotateModal({
  endpoint,
  onClose,
  onDone,
}: Dialog & { onDone: (rotated: NewEndpoint) => void }) {
  const api = useProgramApi();
  const confirmation = useConfirmation(WHY_PASSWORD);
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.post<NewEndpoint>(`${endpointPath(endpoint.kind)}rotate-secret/`, confirmation.body),
    onSuccess: onDone,
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title="Rotate the secret?"
      consequences={[
        'You get a new secret. It is shown only once.',
        'For 24 hours requests are signed with both secrets, then with the new one only.',
        'After that, a server that only has the old secret can no longer verify requests.',
      ]}
      action="Rotate secret"
      disabled={!confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint.url}</p>
      {confirmation.fields}
    </ConfirmModal>
  );
}

export function RemoveModal({ endpoint, onClose, onDone }: Dialog & { onDone: () => void }) {
  const api = useProgramApi();
  const confirmation = useConfirmation(WHY_PASSWORD);
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () => api.delete<Message>(endpointPath(endpoint.kind), confirmation.body),
    onSuccess: () => {
      showToast('Endpoint removed.');
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title="Remove the endpoint?"
      consequences={[
        'Its secret is deleted. If you add the URL again, it gets a new secret.',
        KINDS[endpoint.kind].removed,
      ]}
      action="Remove endpoint"
      danger
      disabled={!confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint.url}</p>
      {confirmation.fields}
    </ConfirmModal>
  );
}
