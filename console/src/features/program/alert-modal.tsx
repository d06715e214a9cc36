import type { Account } from '@emboss/sdk';
import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AmountInput } from '../../components/amount-input.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { amountOf } from '../../lib/amount.ts';
import { formatMoney } from '../../lib/money.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import { accountQuery } from './queries.ts';

export default function AlertModal({ account, onClose }: { account: Account; onClose: () => void }) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const { currency, available, alertBelow } = account;
  const [isOn, setIsOn] = useState(alertBelow !== null);
  const [typed, setTyped] = useState<number | string>(alertBelow ?? '');
  const amount = amountOf(typed);
  const wanted = isOn ? amount : null;
  const mutation = useMutation({
    mutationFn: () => api.put<Account>('merchant/account/alert/', { alertBelow: wanted }),
    onSuccess: (changed) => {
      queryClient.setQueryData(accountQuery(programId).queryKey, changed);
      showToast('The low-balance alert was changed.');
      onClose();
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title="Low-balance alert"
      action="Save alert"
      disabled={wanted === alertBelow || (isOn && amount === null)}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={
        isOn
          ? [
              'The webhook event account.low_balance is sent once when the available balance falls below the amount, and again only after it has risen above it.',
              `Available now: ${formatMoney(available, currency)}. If that is below the amount, the event is sent immediately.`,
            ]
          : ['No event is sent when the balance is low.']
      }
    >
      <Switch
        label="Send an alert"
        checked={isOn}
        onChange={(event) => setIsOn(event.currentTarget.checked)}
      />
      {isOn && <AmountInput label="Alert below" currency={currency} value={typed} onChange={setTyped} />}
    </ConfirmModal>
  );
}
