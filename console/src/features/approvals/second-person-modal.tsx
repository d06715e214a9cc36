import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AmountInput } from '../../components/amount-input.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { amountOf } from '../../lib/amount.ts';
import type { RequestedApproval, SecondPerson } from '../../lib/api-types.gen.ts';
import { currencyDigits } from '../../lib/money.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import { termsQuery } from '../program/queries.ts';
import { useWaiting } from './use-waiting.tsx';

export default function SecondPersonModal({ above, onClose }: { above: string | null; onClose: () => void }) {
  const { id: programId, currency } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const waiting = useWaiting(onClose);
  const [isOn, setIsOn] = useState(above !== null);
  const [typed, setTyped] = useState<number | string>(above === null ? '' : Number(above));
  const confirmation = useConfirmation('Changing this needs your password.');
  const amount = amountOf(typed);
  const digits = currencyDigits(currency);
  const wanted = isOn ? (amount === null ? null : amount.toFixed(digits)) : null;
  const weakens = above !== null && (wanted === null || Number(wanted) > Number(above));
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.put<SecondPerson | RequestedApproval>('second-person/', {
        secondPersonAbove: wanted,
        ...confirmation.body,
      }),
    onSuccess: async (answer) => {
      if (waiting.show(answer)) return;
      await queryClient.invalidateQueries(termsQuery(programId));
      showToast(wanted === null ? 'No second person is needed any more' : 'The second person was changed');
      onClose();
    },
  });
  if (waiting.dialog) return waiting.dialog;
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title="Second person for money"
      action={weakens ? 'Request the change' : 'Save'}
      disabled={wanted === above || (isOn && amount === null) || !confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={[
        isOn
          ? 'Balance adjustments, deposits and withdrawals by an operator above this amount, and every change of fees, wait until another operator with the role approves them. API keys and the command line are not affected.'
          : 'Each operator with the role can move any amount alone.',
        weakens
          ? 'Turning this off or raising the amount needs another administrator too.'
          : 'Requests that are waiting already stay as they are.',
      ]}
    >
      <Switch
        label="Require a second person"
        checked={isOn}
        onChange={(event) => setIsOn(event.currentTarget.checked)}
      />
      {isOn && (
        <AmountInput label="Above" currency={currency} value={typed} onChange={setTyped} data-autofocus />
      )}
      {confirmation.fields}
    </ConfirmModal>
  );
}
