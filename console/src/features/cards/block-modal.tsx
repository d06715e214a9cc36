import { Radio, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import type { CardDetails } from '../../lib/types.ts';
import classes from './modals.module.css';
import { useCardChange } from './use-card-change.ts';

/** What the network is told follows from the word in the reason. */
const REASONS = [
  ['lost', 'Lost', 'The cardholder cannot find the card.'],
  ['stolen', 'Stolen', 'Somebody else has the card.'],
  ['fraud suspected', 'Suspected fraud', 'There are purchases that the cardholder did not make.'],
  ['other', 'Another reason', 'Say which; it is kept in the history.'],
] as const;

const consequencesFor = (card: CardDetails) => [
  `Every new purchase with •••• ${card.lastFour} is declined from this moment on.`,
  <span key="for-good">
    <strong>It is for good:</strong> nobody can unblock, unfreeze or reissue this card afterwards.
  </span>,
  'What was approved before still clears, and refunds still arrive.',
  'If the card may turn up again, freeze it instead.',
];

export default function BlockModal({ card, onClose }: { card: CardDetails; onClose: () => void }) {
  const [choice, setChoice] = useState<string>('');
  const [text, setText] = useState('');
  const reason = choice === 'other' ? text.trim() : choice;
  const mutation = useCardChange(
    card,
    (api, path, why: string) => api.put(`${path}block/`, { reason: why }),
    { done: `${card.cardholderName}'s card •••• ${card.lastFour} is blocked`, onClose },
  );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Block ${card.cardholderName}'s card?`}
      consequences={consequencesFor(card)}
      action="Block card for good"
      danger
      disabled={reason === ''}
      mutation={mutation}
      onConfirm={() => mutation.mutate(reason)}
    >
      <Radio.Group label="Why?" value={choice} onChange={setChoice}>
        <div className={classes.choices}>
          {REASONS.map(([value, label, description]) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </div>
      </Radio.Group>
      {choice === 'other' && (
        <Textarea
          label="The reason"
          description="No card numbers, please: it is kept in clear and sent in events."
          maxLength={255}
          autosize
          minRows={2}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
    </ConfirmModal>
  );
}
