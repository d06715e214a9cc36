import { useMutation } from '@tanstack/react-query';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useProgramApi } from '../../lib/program.ts';
import { formatRelative, parseTime } from '../../lib/time.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Message } from '../../lib/types.ts';
import type { ApiKey } from './queries.ts';

export function RevokeKeyModal({
  apiKey,
  onClose,
  onRevoked,
}: {
  apiKey: ApiKey | null;
  onClose: () => void;
  onRevoked: () => void;
}) {
  const api = useProgramApi();
  const mutation = useMutation({
    mutationFn: () => api.delete<Message>(`keys/${apiKey?.id}/`),
    onSuccess: () => {
      showToast(`API key “${apiKey?.name}” revoked.`);
      onRevoked();
    },
  });
  const used = apiKey?.lastUsedAt
    ? `Last used ${formatRelative(parseTime(apiKey.lastUsedAt), new Date())}. Make sure that no system still needs it.`
    : 'This key was never used.';
  return (
    <ConfirmModal
      opened={apiKey !== null}
      onClose={onClose}
      title={`Revoke API key “${apiKey?.name ?? ''}” (${apiKey?.hint ?? ''})?`}
      consequences={[
        'All servers reject requests with this key immediately.',
        used,
        'This cannot be undone. To replace a key without downtime, rotate it instead.',
      ]}
      action="Revoke key"
      danger
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    />
  );
}
