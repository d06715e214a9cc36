import { useMutation } from '@tanstack/react-query';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useProgramApi } from '../../lib/program.ts';
import { formatRelative, parseTime } from '../../lib/time.ts';
import { tell } from '../../lib/toasts.ts';
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
      tell(`The key “${apiKey?.name}” is revoked.`);
      onRevoked();
    },
  });
  const used = apiKey?.lastUsedAt
    ? `It was last used ${formatRelative(parseTime(apiKey.lastUsedAt), new Date())}: make sure that nothing needs it any more.`
    : 'It was never used.';
  return (
    <ConfirmModal
      opened={apiKey !== null}
      onClose={onClose}
      title={`Revoke the key “${apiKey?.name ?? ''}” (${apiKey?.hint ?? ''})?`}
      consequences={[
        'Every request with it is refused from this moment on, on every server.',
        used,
        'This cannot be undone. To change a key without a gap, rotate it instead.',
      ]}
      action="Revoke key"
      danger
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    />
  );
}
