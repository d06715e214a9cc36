import type { Account } from '@emboss/sdk';
import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AmountInput } from '../../components/amount-input.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { amountOf } from '../../lib/amount.ts';
import type { FundingMovement, RequestedApproval } from '../../lib/api-types.gen.ts';
import { formatMoney } from '../../lib/money.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { randomKey } from '../../lib/random-key.ts';
import { showToast } from '../../lib/toasts.ts';
import { useSecondPersonWords, useWaiting } from '../approvals/use-waiting.tsx';
import { accountQuery, fundingQuery } from './queries.ts';

const KINDS = {
  deposit: { path: 'account/deposits/', title: 'Deposit to the master account', action: 'Deposit', sign: 1 },
  withdrawal: {
    path: 'account/withdrawals/',
    title: 'Withdraw from the master account',
    action: 'Withdraw',
    sign: -1,
  },
} as const;

export default function MoneyModal({
  kind,
  account: { currency, available },
  onClose,
}: {
  kind: keyof typeof KINDS;
  account: Account;
  onClose: () => void;
}) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const { path, title, action, sign } = KINDS[kind];
  const [typed, setTyped] = useState<number | string>('');
  const [reference, setReference] = useState('');
  const waiting = useWaiting(onClose);
  const confirmation = useConfirmation('Moving money needs your password.');
  // The same key for every attempt in this dialog: a retry after a lost answer does not move the money twice.
  const [key] = useState(randomKey);
  const amount = amountOf(typed) ?? 0;
  const forTwo = useSecondPersonWords(amount);
  const isShort = sign < 0 && amount > available;
  const shown = (value: number) => formatMoney(value, currency);
  const named = amount > 0 ? `${action} ${shown(amount)}` : action;
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.post<FundingMovement | RequestedApproval>(
        path,
        { amount, reference: reference.trim(), ...confirmation.body },
        { 'idempotency-key': key },
      ),
    onSuccess: async (answer) => {
      if (waiting.show(answer)) return;
      const changed = [accountQuery(programId).queryKey, fundingQuery(programId).queryKey];
      await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      showToast(`${shown(amount)} ${sign > 0 ? 'deposited' : 'withdrawn'}.`);
      onClose();
    },
  });
  if (waiting.dialog) return waiting.dialog;
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={title}
      action={named}
      disabled={!(amount > 0) || isShort || reference.trim() === '' || !confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={[
        `Available now: ${shown(available)}.${amount > 0 && !isShort ? ` Afterwards: ${shown(available + sign * amount)}.` : ''}`,
        sign > 0
          ? 'Record a deposit when the money has arrived: purchases are approved against it.'
          : 'Only money that is available can be withdrawn. What is held for purchases stays.',
        ...(forTwo ? [forTwo] : []),
      ]}
    >
      <AmountInput
        label="Amount"
        currency={currency}
        value={typed}
        onChange={setTyped}
        error={isShort ? `You can withdraw at most ${shown(available)}.` : undefined}
        data-autofocus
      />
      <TextInput
        label="Reference"
        description="Such as the reference of the bank transfer. Do not enter card numbers."
        maxLength={255}
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
      {confirmation.fields}
    </ConfirmModal>
  );
}
