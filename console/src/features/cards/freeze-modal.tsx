import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import type { CardDetails } from '../../lib/types.ts';
import { useCardChange } from './use-card-change.ts';

const FREEZE = [
  'All new purchases are declined immediately: online, in stores and at ATMs.',
  'Purchases that are already approved still clear, and refunds still arrive.',
  'You can unfreeze the card at any time. Its number, expiry date and CVV do not change.',
];
const UNFREEZE = [
  'New purchases are accepted again immediately, within the balance and the spend controls.',
  'Unfreeze only when the cardholder has the card and recognizes its latest purchases.',
];

export default function FreezeModal({ card, onClose }: { card: CardDetails; onClose: () => void }) {
  // The state when the dialog opened: the card changes before the dialog closes.
  const [freeze] = useState(card.status !== 'FROZEN');
  const name = `${card.cardholderName}'s card ••••\u00a0${card.lastFour}`;
  const [reason, setReason] = useState('');
  const mutation = useCardChange(
    card,
    (api, path, wanted: boolean) =>
      api.put(`${path}freeze/`, {
        freeze: wanted,
        ...(wanted && reason.trim() && { reason: reason.trim() }),
      }),
    { done: `${name} is ${freeze ? 'frozen' : 'unfrozen'}`, onClose },
  );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={freeze ? `Freeze ${name}?` : `Unfreeze ${name}?`}
      consequences={freeze ? FREEZE : UNFREEZE}
      action={freeze ? 'Freeze card' : 'Unfreeze card'}
      mutation={mutation}
      onConfirm={() => mutation.mutate(freeze)}
    >
      {freeze && (
        <TextInput
          label="Reason (optional)"
          description="Shown on the card and in its history. Do not enter card numbers."
          maxLength={255}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </ConfirmModal>
  );
}
