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
    when: 'The usual choice when someone else may know the number. Valid for three years.',
    newNumber: true,
    expiry: 'new',
  },
  {
    option: 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE',
    label: 'New number, same expiry date',
    when: 'As above, but the card keeps its current expiry date.',
    newNumber: true,
    expiry: 'same',
  },
  {
    option: 'NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY',
    label: 'New number, custom expiry date',
    when: 'At least one month from today.',
    newNumber: true,
    expiry: 'custom',
  },
  {
    option: 'CALCULATE_NEW_EXPIRY_DATE',
    label: 'Same number, new expiry date',
    when: 'Renews a card that expires soon. Valid for three years.',
    newNumber: false,
    expiry: 'new',
  },
  {
    option: 'SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY',
    label: 'Same number, custom expiry date',
    when: 'At least one month from today.',
    newNumber: false,
    expiry: 'custom',
  },
  {
    option: 'IDENTICAL_TO_THE_CURRENT_CARD',
    label: 'Identical replacement card',
    when: 'A physical card with the same number, expiry date and CVV, for a card that is damaged or never arrived.',
    newNumber: false,
    expiry: 'same',
  },
];

/** The options for this card. Only a physical card can be ordered again; an expired card needs a new expiry date. */
export const choicesFor = ({ cardType, status }: CardDetails): Choice[] =>
  CHOICES.filter(
    ({ option, expiry }) =>
      !(option === 'IDENTICAL_TO_THE_CURRENT_CARD' && cardType === 'virtual') &&
      !(status === 'EXPIRED' && expiry === 'same'),
  );

/** The consequences of the choice, shown before it is confirmed. */
export function consequencesOf({ option, newNumber }: Choice, card: CardDetails): string[] {
  if (option === 'IDENTICAL_TO_THE_CURRENT_CARD')
    return ["The card's details do not change. A physical card is ordered and shipped to the address below."];
  return [
    newNumber
      ? `The number ending in ${card.lastFour} stops working immediately, also online.`
      : 'The number stays the same. The expiry date and CVV change immediately; purchases with the old ones are declined.',
    'The cardholder must update the card details at merchants and subscriptions that saved them.',
    'The card keeps its id, balance, spend controls and history.',
    ...(card.status === 'FROZEN' ? ['The card stays frozen until it is unfrozen.'] : []),
    ...(card.status === 'EXPIRED' ? ['The card gets back the status that it had before it expired.'] : []),
    ...(card.cardType === 'physical'
      ? ['A new physical card is ordered and shipped to the address below.']
      : []),
  ];
}
