import type { Filter } from '../../components/list/filter.ts';
import { statusText } from '../../components/status-badge.tsx';
import { CATEGORIES, codeMeant, describeCategory } from '../../lib/merchant-categories.ts';
import { CHANNEL_WORDS, DECLINE_REASONS, FITS, isAmount, STATUSES } from './filters.ts';

const REVERSED = 'The minimum must not exceed the maximum';
const AMOUNT_FIELD = { inputMode: 'decimal', refusal: 'An amount, such as 12.50' } as const;
/** Amounts are in the cards' currency. */
export const transactionFilters = (currency: string): Filter[] => [
  {
    name: 'merchant',
    label: 'Merchant',
    placeholder: 'Part of the name',
    maxLength: 255,
    fits: FITS.merchant,
    wide: true,
  },
  {
    name: 'status',
    label: 'Status',
    choices: {
      APPROVED: 'Approved (not declined)',
      ...Object.fromEntries(STATUSES.map((status) => [status, statusText(status)])),
    },
  },
  {
    ...AMOUNT_FIELD,
    name: 'min_amount',
    label: `Minimum, ${currency}`,
    placeholder: 'With fees',
    fits: isAmount,
    problemOf: (value, { max_amount: most }) => (most && Number(value) > Number(most) ? REVERSED : undefined),
  },
  {
    ...AMOUNT_FIELD,
    name: 'max_amount',
    label: `Maximum, ${currency}`,
    placeholder: 'With fees',
    fits: isAmount,
    problemOf: (value, { min_amount: least }) =>
      value !== '' && least && Number(value) < Number(least) ? REVERSED : undefined,
  },
  { name: 'decline_reason', label: 'Decline reason', choices: DECLINE_REASONS, further: true, wide: true },
  { name: 'kind', label: 'Kind', choices: { purchase: 'Purchases', refund: 'Refunds' }, further: true },
  { name: 'channel', label: 'Channel', choices: CHANNEL_WORDS, further: true },
  {
    name: 'mcc',
    label: 'Category (MCC)',
    placeholder: 'Groceries',
    maxLength: 50,
    fits: FITS.mcc,
    toValue: codeMeant,
    toText: describeCategory,
    refusal: '4 digits, or a category from the list',
    suggestions: Object.keys(CATEGORIES).map(describeCategory),
    further: true,
  },
  {
    name: 'currency',
    label: 'Currency',
    placeholder: 'USD',
    maxLength: 3,
    upperCase: true,
    fits: FITS.currency,
    refusal: '3 letters, such as USD',
    further: true,
  },
  {
    name: 'card',
    label: 'Card id',
    maxLength: 36,
    fits: FITS.card,
    refusal: 'The id of a card',
    further: true,
    wide: true,
  },
];
