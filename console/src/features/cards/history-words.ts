import { statusText } from '../../components/status-badge.tsx';
import { describeCategory } from '../../lib/merchant-categories.ts';
import { formatMoney } from '../../lib/money.ts';
import { formatMoment, parseTime } from '../../lib/time.ts';
import type { HistoryEntry } from '../../lib/types.ts';
import { LIMIT_WORDS } from '../limits/words.ts';
import { FAILED } from './authentication-result.ts';
import { CHOICES } from './reissue-options.ts';

/** People write reasons; that of an authentication is a code. */
export const reasonWords = (action: string, reason: string): string =>
  (action === 'authentication.answered' && FAILED[reason as keyof typeof FAILED]) || reason;

const ACTORS: Record<HistoryEntry['actor']['kind'], string> = {
  operator: '',
  key: ' (API key)',
  cli: ' (command line)',
  system: ' (automatic)',
};

export const actorWords = (kind: HistoryEntry['actor']['kind']): string => ACTORS[kind];

/** A person by name alone: the audit adds the e-mail address. */
export const actorName = ({ name }: HistoryEntry['actor']): string => name.replace(/ <[^<>]*>$/, '');

const FIELDS: Record<string, string> = {
  status: 'Status',
  replaces: 'Replaces the card',
  replacedBy: 'Replaced by the card',
  statusReason: 'Reason',
  reasonCode: 'Reason code',
  credentialId: 'Credential',
  lastFour: 'Last four digits',
  expiryDate: 'Expiry date',
  cardDesign: 'Design',
  availableCredit: 'Available credit',
  reference: 'Reference',
  ...LIMIT_WORDS,
  purchases: 'Purchases',
  merchants: 'Merchants',
  from: 'Not before',
  until: 'Until',
  allowedMccs: 'Allowed categories',
  blockedMccs: 'Blocked categories',
  renewOption: 'Reissue type',
  changed: 'Changed',
  enabled: 'Confirmation in the app',
  approvedBy: 'Approved by',
};

const TEMPORARY = 'temporaryLimits.';

export const fieldWords = (field: string): string =>
  field.startsWith(TEMPORARY)
    ? `${fieldWords(field.slice(TEMPORARY.length))}, for a time`
    : (FIELDS[field] ?? field);

const CONTACT: Record<string, string> = { email: 'e-mail', otpPhoneNumber: 'phone number' };
const contactWords = (field: string): string => CONTACT[field] ?? field;

/** Hidden, because the last four digits and the expiry date already identify the credential. */
const HIDDEN = ['credentialId'];

/** New with each change, so there is no previous value to show. */
const SAID_ALONE = ['reference', 'renewOption', 'changed', 'approvedBy'];
const AMOUNTS = ['availableCredit', 'transactionLimit', 'dailyLimit', 'monthlyLimit', 'allTimeLimit'];
const CATEGORIES = ['allowedMccs', 'blockedMccs'];

interface Change {
  field: string;
  /** Absent if only the new value is shown. */
  before?: string;
  after: string;
}

export const shownChanges = (changes: HistoryEntry['changes'], currency: string): Change[] =>
  changes
    .filter(({ field }) => !HIDDEN.includes(field))
    .map(({ field, before, after }) => ({
      field,
      ...(!SAID_ALONE.includes(field) && { before: valueWords(field, before, currency) }),
      after: valueWords(field, after, currency),
    }));

function valueWords(field: string, value: string | null, currency: string): string {
  if (value === null || value === '') {
    if (field === 'allowedMccs') return 'all';
    return field.endsWith('Limit') && !field.startsWith(TEMPORARY) ? 'no limit' : 'none';
  }
  if (field.startsWith(TEMPORARY)) {
    const { amount, endsAt } = JSON.parse(value) as { amount: number; endsAt: string };
    return `${formatMoney(amount, currency)} until ${formatMoment(parseTime(endsAt))}`;
  }
  if (AMOUNTS.includes(field) && !Number.isNaN(Number(value))) return formatMoney(Number(value), currency);
  if (CATEGORIES.includes(field)) return value.split(', ').map(describeCategory).join(', ');
  if (field === 'merchants' && value === 'FIRST') return 'that of the first purchase';
  if (['from', 'until'].includes(field)) return formatMoment(parseTime(value));
  if (field === 'changed') return value.split(', ').map(contactWords).join(', ');
  if (field === 'approvedBy') return value.replace(/^operator:/, '');
  if (field === 'enabled') return value === 'true' ? 'on' : 'off';
  if (field === 'status') return statusText(value);
  if (field === 'renewOption') return CHOICES.find(({ option }) => option === value)?.label ?? value;
  return value;
}
