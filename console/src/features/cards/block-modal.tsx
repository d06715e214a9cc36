import { Button, Radio, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { Icon } from '../../components/icon.tsx';
import { formatMoney } from '../../lib/money.ts';
import { useMay } from '../../lib/session.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './modals.module.css';
import { useCardChange } from './use-card-change.ts';

/** Reason code, reason, label, description. */
const REASONS = [
  ['LOST', 'lost', 'Lost', 'The cardholder cannot find the card.'],
  ['STOLEN', 'stolen', 'Stolen', 'Another person has the card.'],
  ['FRAUD', 'fraud suspected', 'Suspected fraud', 'There are purchases that the cardholder did not make.'],
  ['OTHER', '', 'Another reason', 'Enter it below. The history shows it.'],
] as const;

const consequencesFor = (card: CardDetails) => [
  `Every new purchase with •••• ${card.lastFour} is declined from this moment on.`,
  <span key="for-good">
    <strong>It is for good:</strong> nobody can unblock, unfreeze or reissue this card afterwards.
  </span>,
  'What was approved before still clears, and refunds still arrive.',
  `What is left on it, ${formatMoney(card.availableCredit, card.currency)}, can no longer be spent and moves to no other card by itself.`,
  'If the card may turn up again, freeze it instead.',
];

export default function BlockModal({
  card,
  onClose,
  onReissue,
}: {
  card: CardDetails;
  onClose: () => void;
  onReissue: () => void;
}) {
  const [choice, setChoice] = useState<string>('');
  const [text, setText] = useState('');
  const reason = REASONS.find(([code]) => code === choice)?.[1] || text.trim();
  const mutation = useCardChange(
    card,
    (api, path, body: { reason: string; reasonCode: string }) => api.put(`${path}block/`, body),
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
      disabled={choice === '' || reason === ''}
      mutation={mutation}
      onConfirm={() => mutation.mutate({ reason, reasonCode: choice })}
    >
      <ReissueInstead card={card} onReissue={onReissue} />
      <Radio.Group label="Why?" value={choice} onChange={setChoice}>
        <div className={classes.choices}>
          {REASONS.map(([code, , label, description]) => (
            <Radio key={code} value={code} label={label} description={description} />
          ))}
        </div>
      </Radio.Group>
      {choice === 'OTHER' && (
        <Textarea
          label="The reason"
          description="Enter no card numbers: the reason is stored in clear and sent in events."
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

/** A block is the answer to few questions: the better one is named before the click. */
function ReissueInstead({ card, onReissue }: { card: CardDetails; onReissue: () => void }) {
  const mayReissue = useMay('admin');
  return (
    <div className={classes.instead}>
      <Icon name="renew" size={18} className={classes.insteadIcon} />
      <div>
        <p>
          <strong>Lost or stolen? Reissuing with a new number is usually right.</strong> It stops ••••{' '}
          {card.lastFour} at once just the same, and the customer keeps the card with its balance and history.
          {!mayReissue && ' Ask an administrator to do it; freeze the card until then.'}
        </p>
        {mayReissue && (
          <Button size="xs" variant="default" onClick={onReissue}>
            Reissue instead
          </Button>
        )}
      </div>
    </div>
  );
}
