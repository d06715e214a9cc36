import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import { approvalWords } from './approval-words.ts';
import type { Approval } from './queries.ts';

export type Doing = 'approve' | 'reject' | 'withdraw';

const WORDS = {
  approve: {
    title: 'Approve the request',
    action: 'Approve',
    consequence:
      'The change is made now, in the name of the person who requested it, and the audit log names you both.',
  },
  reject: {
    title: 'Reject the request',
    action: 'Reject',
    consequence: 'Nothing changes. The request cannot be approved any more.',
  },
  withdraw: {
    title: 'Withdraw your request',
    action: 'Withdraw request',
    consequence: 'Nothing changes. The request cannot be approved any more.',
  },
} as const;

const DONE: Record<Approval['status'], string> = {
  PENDING: 'Still pending',
  APPROVED: 'Approved, and the change is made',
  REJECTED: 'Request rejected',
  WITHDRAWN: 'Request withdrawn',
  FAILED: 'Approved, but the change failed',
  EXPIRED: 'The request has expired',
};

export function DecideModal({
  approval,
  doing,
  onClose,
}: {
  approval: Approval;
  doing: Doing;
  onClose: () => void;
}) {
  const { id: programId, currency } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const confirmation = useConfirmation('Approving money needs your password.');
  const { title, action, consequence } = WORDS[doing];
  const { requestedBy } = approval;
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () => {
      const at = `approvals/${encodeURIComponent(approval.id)}`;
      const body = reason.trim() === '' ? {} : { reason: reason.trim() };
      return doing === 'approve'
        ? api.post<Approval>(`${at}/approve/`, { ...body, ...confirmation.body })
        : api.post<Approval>(`${at}/reject/`, body);
    },
    onSuccess: ({ status, reason: why }) => {
      const failed = status === 'FAILED';
      showToast(failed ? `${DONE.FAILED}: ${why}` : DONE[status], failed ? 'bad' : 'good');
      onClose();
    },
    // The change touches cards, the account and terms; a refusal means that the list is out of date.
    onSettled: () => queryClient.invalidateQueries({ queryKey: [programId] }),
  });
  const mustSayWhy = doing === 'reject' && reason.trim() === '';
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={title}
      action={action}
      danger={doing === 'reject'}
      disabled={mustSayWhy || (doing === 'approve' && !confirmation.isComplete)}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={[
        `${approvalWords(approval, currency)}${doing === 'withdraw' ? '' : `, requested by ${requestedBy.name}`}.`,
        consequence,
      ]}
    >
      {doing !== 'withdraw' && (
        <TextInput
          label={doing === 'approve' ? 'Reason (optional)' : 'Reason'}
          description="Recorded in the audit log, and shown to the person who requested it."
          maxLength={255}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {doing === 'approve' && confirmation.fields}
    </ConfirmModal>
  );
}
