import type { Channel, TransactionStatus } from '../../lib/types.ts';

/** The names are those of the API, so that the URL of this page resembles an API request. */
export interface TransactionFilters {
  status?: TransactionStatus;
  channel?: Channel;
  decline_reason?: string;
  merchant?: string;
  mcc?: string;
  currency?: string;
  min_amount?: string;
  max_amount?: string;
  min_created?: string;
  max_created?: string;
}

export type FilterName = keyof TransactionFilters;

const STATUSES: readonly string[] = ['PENDING', 'CLEARED', 'DECLINED', 'VOID'] satisfies TransactionStatus[];
const CHANNELS: readonly string[] = ['ECOMMERCE', 'POS', 'ATM'] satisfies Channel[];
const AMOUNT = /^\d{1,15}(\.\d{1,4})?$/;
const isDay = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value;

/** The values that the server accepts. Invalid values in a URL are ignored and not sent. */
const FITS: Record<FilterName, (value: string) => boolean> = {
  status: (value) => STATUSES.includes(value),
  channel: (value) => CHANNELS.includes(value),
  decline_reason: (value) => /^[a-z_]{3,40}$/.test(value),
  merchant: (value) => value.length <= 255,
  mcc: (value) => /^\d{4}$/.test(value),
  currency: (value) => /^[A-Z]{3}$/.test(value),
  min_amount: (value) => AMOUNT.test(value),
  max_amount: (value) => AMOUNT.test(value),
  min_created: isDay,
  max_created: isDay,
};
const NAMES = Object.keys(FITS) as FilterName[];

export const fits = (name: FilterName, value: string): boolean => value === '' || FITS[name](value);

export function readFilters(search: Record<string, unknown>): TransactionFilters {
  const given = NAMES.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' && FITS[name](value) ? [[name, value]] : [];
  });
  const filters: TransactionFilters = Object.fromEntries(given);
  if (isReversed('min_created', filters)) delete filters.max_created;
  if (isReversed('min_amount', filters)) delete filters.max_amount;
  return filters;
}

const RANGES = {
  min_created: '“From” must not be after “To”',
  max_created: '“From” must not be after “To”',
  min_amount: 'The minimum must not exceed the maximum',
  max_amount: 'The minimum must not exceed the maximum',
} as const satisfies Partial<Record<FilterName, string>>;

export type RangeEnd = keyof typeof RANGES;

function isReversed(
  name: RangeEnd,
  { min_created, max_created, min_amount, max_amount }: TransactionFilters,
) {
  return name.endsWith('created')
    ? min_created !== undefined && max_created !== undefined && min_created > max_created
    : min_amount !== undefined && max_amount !== undefined && Number(min_amount) > Number(max_amount);
}

/** The error of one end of a range, given the other end. */
export const rangeProblem = (
  name: RangeEnd,
  value: string,
  filters: TransactionFilters,
): string | undefined =>
  value !== '' && isReversed(name, { ...filters, [name]: value }) ? RANGES[name] : undefined;

export const countFilters = (filters: TransactionFilters): number => Object.keys(filters).length;

export const CHANNEL_WORDS: Record<Channel, string> = {
  ECOMMERCE: 'Online',
  POS: 'In store',
  ATM: 'ATM',
  MOTO: 'Mail or phone order',
};

/** In the order of the checks. */
export const DECLINE_REASONS: Record<string, string> = {
  card_blocked: 'Card blocked',
  invalid_card_number: 'Invalid card number',
  card_frozen: 'Card frozen',
  card_expired: 'Card expired',
  expiry_mismatch: 'Wrong expiry date',
  cvv_mismatch: 'Wrong CVV',
  merchant_category_not_allowed: 'Merchant category not allowed',
  authentication_required: 'Authentication required',
  transaction_limit: 'Per-transaction limit exceeded',
  daily_limit: 'Daily limit exceeded',
  card_limit: 'Monthly or lifetime limit exceeded',
  insufficient_funds: 'Insufficient funds',
  program_balance: 'Insufficient program balance',
  already_reversed: 'Already reversed',
  hold_closed: 'Hold already closed',
  stand_in_declined: 'Declined by the network',
  program_insufficient_funds: 'Insufficient funds (your server)',
  program_limit: 'Limit exceeded (your server)',
  program_merchant: 'Merchant not allowed (your server)',
  program_fraud: 'Suspected fraud (your server)',
  program_declined: 'Decision of your server',
  decision_timeout: 'Your server did not answer in time',
  decision_unavailable: 'Your server could not be asked',
  decision_invalid: 'The answer of your server cannot be used',
};

export const declineWords = (reason: string): string =>
  DECLINE_REASONS[reason] ?? reason.replaceAll('_', ' ');
