import { Button, Radio, Textarea } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { withoutEnter } from '../../lib/dialog-keys.ts';
import { formatMoney } from '../../lib/money.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './modals.module.css';
import { useCardChange } from './use-card-change.ts';

/** Reason code, reason, label, description. */
const REASONS = [
  ['LOST', 'lost', 'Lost', 'The cardholder cannot find the card.'],
  ['STOLEN', 'stolen', 'Stolen', 'Someone else has the card.'],
  ['FRAUD', 'fraud suspected', 'Suspected fraud', 'The cardholder did not make some of the purchases.'],
  ['OTHER', '', 'Other', 'Enter a reason; it is recorded in the history.'],
] as const;

const consequencesFor = (card: CardDetails) => [
  `All new purchases with ••••\u00a0${card.lastFour} are declined immediately.`,
  <span key="for-good">
    <strong>This is permanent:</strong> a blocked card cannot be unblocked, unfrozen or reissued.
  </span>,
  'Purchases that are already approved still clear, and refunds still arrive.',
  `The remaining balance of ${formatMoney(card.availableCredit, card.currency)} can no longer be spent. The next step offers a replacement card.`,
  'If the cardholder may find the card again, freeze it instead.',
];

export default function BlockModal({
  card,
  onClose,
  onReissue,
  onBlocked,
}: {
  card: CardDetails;
  onClose: () => void;
  onReissue: () => void;
  onBlocked: () => void;
}) {
  const [choice, setChoice] = useState<string>('');
  const [text, setText] = useState('');
  const reason = REASONS.find(([code]) => code === choice)?.[1] || text.trim();
  const mutation = useCardChange(
    card,
    (api, path, body: { reason: string; reasonCode: string }) => api.put(`${path}block/`, body),
    { done: `${card.cardholderName}'s card ••••\u00a0${card.lastFour} is blocked`, onClose: onBlocked },
  );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Block ${card.cardholderName}'s card?`}
      consequences={consequencesFor(card)}
      action="Block card permanently"
      danger
      disabled={choice === '' || reason === ''}
      mutation={mutation}
      onConfirm={() => mutation.mutate({ reason, reasonCode: choice })}
    >
      <ReissueInstead card={card} onReissue={onReissue} />
      <Radio.Group label="Reason" value={choice} onChange={setChoice} onKeyDown={withoutEnter}>
        <div className={classes.choices}>
          {REASONS.map(([code, , label, description]) => (
            <Radio key={code} value={code} label={label} description={description} />
          ))}
        </div>
      </Radio.Group>
      {choice === 'OTHER' && (
        <Textarea
          label="Describe the reason"
          description="Do not enter card numbers: the text is stored unencrypted and sent in webhook events."
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

/** Suggests a reissue before the operator blocks the card, because it is often the better choice. */
function ReissueInstead({ card, onReissue }: { card: CardDetails; onReissue: () => void }) {
  return (
    <div className={classes.instead}>
      <IconRefresh size={18} className={classes.insteadIcon} />
      <div>
        <p>
          <strong>Lost or stolen? Reissuing the card with a new number is usually better.</strong> The old
          number ••••&nbsp;{card.lastFour} stops working immediately, and the customer keeps the card with its
          balance and history.
        </p>
        <Button size="xs" variant="default" onClick={onReissue}>
          Reissue instead
        </Button>
      </div>
    </div>
  );
}
