import { ConfirmModal } from '../../components/confirm-modal.tsx';
import type { CardDetails } from '../../lib/types.ts';
import { useCardChange } from './use-card-change.ts';

const FREEZE = [
  'Every new purchase is declined from this moment on, online, in stores and at cash machines.',
  'Purchases that were approved before still clear, and refunds still arrive.',
  'It can be undone at any time. Number, expiry date and CVV stay as they are.',
];
const UNFREEZE = [
  'New purchases are possible again from this moment on, within the balance and the spend controls.',
  'Do this only when the cardholder has the card and knows of its last purchases.',
];

export default function FreezeModal({ card, onClose }: { card: CardDetails; onClose: () => void }) {
  // As it was when the dialog opened: the card changes below it before it closes.
  const freeze = card.status !== 'FROZEN';
  const name = `${card.cardholderName}'s card •••• ${card.lastFour}`;
  const mutation = useCardChange(
    card,
    (api, path, wanted: boolean) => api.put(`${path}freeze/`, { freeze: wanted }),
    { done: `${name} is ${freeze ? 'frozen' : 'usable again'}`, onClose },
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
    />
  );
}
