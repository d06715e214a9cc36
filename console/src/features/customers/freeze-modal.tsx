import type { FreezeCustomerResponse } from '@emboss/sdk';
import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Customer } from '../../lib/types.ts';
import { refreshCard } from '../cards/queries.ts';
import { customerPath } from './queries.ts';

const FREEZE = [
  'All new purchases with these cards are declined immediately: online, in stores and at ATMs.',
  'Purchases that are already approved still clear, and refunds still arrive.',
  'Blocked and expired cards stay as they are. You can unfreeze the cards together at any time.',
];
const UNFREEZE = [
  'New purchases are accepted again immediately, within the balances and the spend controls.',
  'A card that was frozen by itself stays frozen.',
];

const cardsOf = (count: number) => (count === 1 ? '1 card' : `${count} cards`);

export default function FreezeModal({
  customer,
  freeze,
  count,
  onClose,
}: {
  customer: Customer;
  freeze: boolean;
  /** How many cards change. */
  count: number;
  onClose: () => void;
}) {
  // As when the dialog opened: the cards change before it closes.
  const [cards] = useState(cardsOf(count));
  const [reason, setReason] = useState('');
  const api = useProgramApi();
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: () =>
      api.put<FreezeCustomerResponse>(`merchant/${customerPath(customer.id)}freeze/`, {
        freeze,
        ...(freeze && reason.trim() && { reason: reason.trim() }),
      }),
    onSuccess: async () => {
      await refreshCard(queryClient, programId);
      showToast(`${customer.name}'s cards are ${freeze ? 'frozen' : 'unfrozen'}`);
      onClose();
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`${freeze ? 'Freeze' : 'Unfreeze'} ${cards} of ${customer.name}?`}
      consequences={freeze ? FREEZE : UNFREEZE}
      action={`${freeze ? 'Freeze' : 'Unfreeze'} ${cards}`}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      {freeze && (
        <TextInput
          label="Reason (optional)"
          description="Shown on each card and in its history. Do not enter card numbers."
          maxLength={255}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </ConfirmModal>
  );
}
