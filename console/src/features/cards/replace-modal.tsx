import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { AmountInput } from '../../components/amount-input.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { amountOf } from '../../lib/amount.ts';
import { formatMoney } from '../../lib/money.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Card, CardDetails } from '../../lib/types.ts';
import { refreshCard } from './queries.ts';
import { emptyShipping, isComplete, ShippingForm, shippingBody } from './shipping-form.tsx';

/** Issues a card in place of a blocked one. The server fills in the cardholder, the design and the controls. */
export default function ReplaceModal({ card, onClose }: { card: CardDetails; onClose: () => void }) {
  const [balance, setBalance] = useState<number | string>(Math.max(0, card.availableCredit));
  const [shipping, setShipping] = useState(() => emptyShipping(card));
  const ships = card.cardType === 'physical';
  const api = useProgramApi();
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const mutation = useMutation({
    // The server issues one replacement only, so that a retry is safe.
    mutationFn: () =>
      api.post<Card>(`cards/${encodeURIComponent(card.id)}/replacement/`, {
        spendLimit: amountOf(balance),
        ...(ships && { shippingInformation: shippingBody(shipping) }),
      }),
    onSuccess: async ({ id, lastFour }) => {
      await refreshCard(queryClient, programId);
      showToast(`Card ••••\u00a0${lastFour} was issued to ${card.cardholderName}`);
      onClose();
      await navigate({ to: '/programs/$programId/cards/$cardId', params: { programId, cardId: id } });
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Issue a replacement for ••••\u00a0${card.lastFour}`}
      size={ships ? 'lg' : 'md'}
      consequences={[
        `${card.cardholderName} gets a new ${card.cardType} card with the same design, spend controls and customer id, and with a new number.`,
        'The KYC provider checks the cardholder again.',
        `The blocked card keeps its balance of ${formatMoney(card.availableCredit, card.currency)}, which cannot be spent. The new card starts with the balance above.`,
        'The cardholder must update the card details at merchants and subscriptions that saved them.',
      ]}
      action="Issue replacement"
      disabled={amountOf(balance) === null || (ships && !isComplete(shipping))}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <AmountInput label="Opening balance" currency={card.currency} value={balance} onChange={setBalance} />
      {ships && <ShippingForm value={shipping} onChange={setShipping} withDesign={false} />}
    </ConfirmModal>
  );
}
