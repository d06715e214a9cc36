import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { AmountInput } from '../../components/amount-input.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { amountOf } from '../../lib/amount.ts';
import { formatMoney } from '../../lib/money.ts';
import { randomKey } from '../../lib/random-key.ts';
import type { CardDetails } from '../../lib/types.ts';
import { useSecondPersonWords, useWaiting } from '../approvals/use-waiting.tsx';
import { useCardChange } from './use-card-change.ts';

type Direction = 'up' | 'down';

export default function AdjustModal({ card, onClose }: { card: CardDetails; onClose: () => void }) {
  const [direction, setDirection] = useState<Direction>('up');
  const [amount, setAmount] = useState<number | string>('');
  const [reference, setReference] = useState('');
  // The same key for every attempt in this dialog: a retry after a lost answer does not move the money twice.
  const [key] = useState(randomKey);
  const waiting = useWaiting(onClose);
  const size = amountOf(amount) ?? Number.NaN;
  const forTwo = useSecondPersonWords(size);
  const signed = direction === 'up' ? size : -size;
  const after = card.availableCredit + signed;
  const short = after < 0 && direction === 'down';
  const shown = (value: number) => formatMoney(value, card.currency);
  const mutation = useCardChange(
    card,
    (api, path, body: { amount: number; reference: string }) =>
      api.post(`${path}balance-adjustments/`, body, { 'idempotency-key': key }),
    {
      done: `${shown(size)} ${direction === 'up' ? 'added to' : 'removed from'} ••••\u00a0${card.lastFour}`,
      onClose,
      isWaiting: waiting.show,
    },
  );
  if (waiting.dialog) return waiting.dialog;
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Adjust the balance of ••••\u00a0${card.lastFour}`}
      action={
        Number.isNaN(size) || size === 0
          ? 'Adjust balance'
          : `${direction === 'up' ? 'Add' : 'Remove'} ${shown(size)}`
      }
      disabled={!(size > 0) || short || reference.trim() === ''}
      mutation={mutation}
      onConfirm={() => mutation.mutate({ amount: signed, reference: reference.trim() })}
      consequences={[
        `Available now: ${shown(card.availableCredit)}. ${
          size > 0 && !short ? `Afterwards: ${shown(after)}.` : ''
        }`,
        forTwo ??
          'The adjustment takes effect immediately and is recorded in the history with your name. To undo it, adjust in the other direction.',
      ]}
    >
      <SegmentedControl
        aria-label="Direction"
        value={direction}
        onChange={(value) => setDirection(value as Direction)}
        data={[
          { value: 'up', label: 'Add' },
          { value: 'down', label: 'Remove' },
        ]}
      />
      <AmountInput
        label="Amount"
        currency={card.currency}
        value={amount}
        onChange={setAmount}
        error={short ? `You can remove at most ${shown(card.availableCredit)}.` : undefined}
        data-autofocus
      />
      <TextInput
        label="Reference"
        description="What the adjustment is for, such as a case number or “top-up”. Do not enter card numbers."
        maxLength={255}
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
    </ConfirmModal>
  );
}
