import type { CardDetails } from '../../lib/types.ts';

export type RenewOption =
  | 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE'
  | 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE'
  | 'NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY'
  | 'CALCULATE_NEW_EXPIRY_DATE'
  | 'SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY'
  | 'IDENTICAL_TO_THE_CURRENT_CARD';

interface Choice {
  option: RenewOption;
  label: string;
  when: string;
  newNumber: boolean;
  expiry: 'same' | 'new' | 'custom';
}

export const CHOICES: Choice[] = [
  {
    option: 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE',
    label: 'New number, new expiry date',
    when: 'The usual way when somebody else may know the number. Valid for three years.',
    newNumber: true,
    expiry: 'new',
  },
  {
    option: 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE',
    label: 'New number, same expiry date',
    when: 'As above, but the card ends when it was meant to end.',
    newNumber: true,
    expiry: 'same',
  },
  {
    option: 'NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY',
    label: 'New number, an expiry date of your choice',
    when: 'At least one month from today.',
    newNumber: true,
    expiry: 'custom',
  },
  {
    option: 'CALCULATE_NEW_EXPIRY_DATE',
    label: 'Same number, new expiry date',
    when: 'To renew a card that ends soon. Valid for three years.',
    newNumber: false,
    expiry: 'new',
  },
  {
    option: 'SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY',
    label: 'Same number, an expiry date of your choice',
    when: 'At least one month from today.',
    newNumber: false,
    expiry: 'custom',
  },
  {
    option: 'IDENTICAL_TO_THE_CURRENT_CARD',
    label: 'The same card once more',
    when: 'Another plastic with the same number, expiry date and CVV: the old one broke or never arrived.',
    newNumber: false,
    expiry: 'same',
  },
];

/** What makes sense for this card. Only a plastic can be ordered once more; an expired card needs a new end. */
export const choicesFor = ({ cardType, status }: CardDetails): Choice[] =>
  CHOICES.filter(
    ({ option, expiry }) =>
      !(option === 'IDENTICAL_TO_THE_CURRENT_CARD' && cardType === 'virtual') &&
      !(status === 'EXPIRED' && expiry === 'same'),
  );

/** What the choice does, before it is done. */
export function consequencesOf({ option, newNumber }: Choice, card: CardDetails): string[] {
  if (option === 'IDENTICAL_TO_THE_CURRENT_CARD')
    return [
      'Nothing about the card changes. A new plastic is ordered and shipped to the address that you give.',
    ];
  return [
    newNumber
      ? `The number that ends in ${card.lastFour} stops working at once, online as well.`
      : 'The number stays. Expiry date and CVV change at once: the old ones are declined.',
    'Shops and subscriptions that saved the card must be given the new details.',
    'Card id, balance, spend controls and history stay.',
    ...(card.status === 'FROZEN' ? ['The card stays frozen until somebody unfreezes it.'] : []),
    ...(card.status === 'EXPIRED' ? ['The card becomes active again.'] : []),
    ...(card.cardType === 'physical'
      ? ['A new plastic is ordered and shipped to the address that you give.']
      : []),
  ];
}
