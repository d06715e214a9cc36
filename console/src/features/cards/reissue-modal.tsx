import { Radio } from '@mantine/core';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { DayInput } from '../../components/day-input.tsx';
import { withoutEnter } from '../../lib/dialog-keys.ts';
import { randomKey } from '../../lib/random-key.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './modals.module.css';
import { choicesFor, consequencesOf } from './reissue-options.ts';
import { emptyShipping, isComplete, ShippingForm, shippingBody } from './shipping-form.tsx';
import { useCardChange } from './use-card-change.ts';

export default function ReissueModal({ card, onClose }: { card: CardDetails; onClose: () => void }) {
  const choices = choicesFor(card);
  const [option, setOption] = useState(choices[0]?.option);
  const [expiryDate, setExpiryDate] = useState('');
  const [shipping, setShipping] = useState(() => emptyShipping(card));
  const [key] = useState(randomKey);
  const choice = choices.find((each) => each.option === option);
  const custom = choice?.expiry === 'custom';
  const ships = card.cardType === 'physical';
  const mutation = useCardChange(
    card,
    (api, path) =>
      api.put(
        `${path}replace/`,
        {
          renewOption: option,
          ...(custom && { expiryDate }),
          ...(ships && { shippingInformation: shippingBody(shipping) }),
        },
        { 'idempotency-key': key },
      ),
    { done: `${card.cardholderName}'s card was reissued`, onClose },
  );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Reissue ${card.cardholderName}'s card ••••\u00a0${card.lastFour}`}
      size="lg"
      action={option === 'IDENTICAL_TO_THE_CURRENT_CARD' ? 'Order replacement card' : 'Reissue card'}
      danger={choice?.newNumber ?? false}
      disabled={!choice || (custom && expiryDate === '') || (ships && !isComplete(shipping))}
      mutation={mutation}
      onConfirm={() => mutation.mutate(undefined)}
    >
      <Radio.Group
        label="Reissue type"
        value={option ?? ''}
        // The old number stops working at once.
        onKeyDown={choice?.newNumber ? withoutEnter : undefined}
        onChange={(value) => setOption(choices.find((each) => each.option === value)?.option)}
      >
        <div className={classes.choices}>
          {choices.map(({ option: value, label, when }) => (
            <Radio key={value} value={value} label={label} description={when} />
          ))}
        </div>
      </Radio.Group>
      {custom && <DayInput label="New expiry date" value={expiryDate} onChange={setExpiryDate} />}
      {choice && (
        <ul className={classes.consequences}>
          {consequencesOf(choice, card).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {ships && <ShippingForm value={shipping} onChange={setShipping} />}
    </ConfirmModal>
  );
}
