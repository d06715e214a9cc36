import { type TSchema, Type } from 'typebox';
import { type CardContext, cleanText, customersCards } from '../../cards/filters.ts';
import { currency } from '../../cards/network-schema.ts';
import { rule } from '../../http/schemas.ts';
import { currencyDigits } from '../../kernel/currencies.ts';
import { invalid } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { formatAmount, MAX_AMOUNT_MINOR, parseAmount } from '../../kernel/money.ts';
import { type Filter, pairFilter } from '../../lists/filters.ts';
import { DECLINES, type DeclineReason } from '../core/decline.ts';
import { FLAGS, type Flag } from '../core/flag.ts';
import { CHANNELS } from '../core/transaction.ts';
import {
  atMerchant,
  compared,
  inCurrency,
  notDeclined,
  ofCard,
  SHOWN_BILL,
  TOTAL,
  withDeclineReason,
  withExternalId,
  withFlag,
  withLabel,
  withStatus,
  withValue,
} from './filter-queries.ts';

type TransactionFilter = Filter<CardContext>;
const optional = (schema: TSchema) => Type.Optional(schema);

const card: TransactionFilter = {
  schema: optional(Type.String({ maxLength: 36, description: 'Card id.' })),
  index: 'transactions_card',
  read: (given, field) => {
    if (isId(given)) return ofCard(given);
    throw invalid(field, 'must be a card id');
  },
};

const amount = (
  of: typeof SHOWN_BILL | typeof TOTAL,
  comparison: '>=' | '<=',
  description: string,
): TransactionFilter => ({
  schema: optional(
    Type.String({
      pattern: '^\\d{1,15}(\\.\\d{1,4})?$',
      ...rule('must be a decimal of at least 0, such as "12.50"'),
      description,
      examples: ['12.50'],
    }),
  ),
  index: null,
  read: (given, field, { actor: { program } }) => {
    const minor = parseAmount(given, program.currency);
    if (minor === undefined)
      throw invalid(
        field,
        `must have at most ${currencyDigits(program.currency)} decimals in ${program.currency}`,
      );
    if (minor > MAX_AMOUNT_MINOR)
      throw invalid(field, `must be at most ${formatAmount(MAX_AMOUNT_MINOR, program.currency)}`);
    return compared(of, comparison, minor);
  },
});

const status: TransactionFilter = {
  schema: optional(Type.Enum(['PENDING', 'CLEARED', 'DECLINED', 'VOID'])),
  index: 'transactions_status',
  read: withStatus,
};
const declineReason: TransactionFilter = {
  schema: optional(Type.Enum(Object.keys(DECLINES) as DeclineReason[])),
  index: 'transactions_decline_reason',
  read: withDeclineReason,
};
const NARROWING = {
  kind: {
    schema: optional(Type.Enum(['purchase', 'refund'])),
    index: null,
    read: (given) => withValue('kind', given),
  },
  mcc: {
    schema: optional(
      Type.String({
        pattern: '^\\d{4}$',
        ...rule('must be a merchant category code of 4 digits'),
        examples: ['5411'],
      }),
    ),
    index: null,
    read: (given) => withValue('merchant_mcc', given),
  },
  channel: {
    schema: optional(Type.Enum([...CHANNELS])),
    index: null,
    read: (given) => withValue('channel', given),
  },
  currency: {
    schema: optional({ ...currency, description: "The merchant's currency." }),
    index: null,
    read: (given) => inCurrency(given),
  },
} satisfies Record<string, TransactionFilter>;

export const TRANSACTION_FILTERS = {
  external_transaction_id: {
    schema: optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: "The network's id of the purchase or refund.",
      }),
    ),
    index: 'network_messages_pkey',
    read: (given, field) => withExternalId(cleanText(given, field)),
  },
  card_id: card,
  metadata: pairFilter('transaction_labels_pkey', withLabel),
  external_customer_id: { ...customersCards, index: 'transactions_card' },
  decline_reason: declineReason,
  flag: {
    schema: optional(Type.Enum([...FLAGS])),
    index: 'transactions_no_authorization',
    read: (given) => withFlag(given as Flag),
  },
  status,
  ...NARROWING,
  min_amount: amount(SHOWN_BILL, '>=', 'Minimum `bill_amount`.'),
  max_amount: amount(SHOWN_BILL, '<=', 'Maximum `bill_amount`.'),
} satisfies Record<string, TransactionFilter>;

/** As a status: any but DECLINED. */
const APPROVED = 'APPROVED';

/** For people, who look for the amount that was taken and for a merchant by its name. */
export const CONSOLE_TRANSACTION_FILTERS = {
  card,
  decline_reason: declineReason,
  status: {
    schema: optional(
      Type.Enum(['PENDING', 'CLEARED', 'DECLINED', 'VOID', APPROVED], {
        description: 'APPROVED: every status but DECLINED.',
      }),
    ),
    index: status.index,
    read: (given) => (given === APPROVED ? notDeclined : withStatus(given)),
  },
  ...NARROWING,
  merchant: {
    schema: optional(
      Type.String({ minLength: 1, maxLength: 255, description: "Part of the merchant's name, or its id." }),
    ),
    index: null,
    read: (given, field) => atMerchant(cleanText(given, field)),
  },
  min_amount: amount(TOTAL, '>=', "Minimum amount with fees, in the card's currency."),
  max_amount: amount(TOTAL, '<=', "Maximum amount with fees, in the card's currency."),
} satisfies Record<string, TransactionFilter>;

/** Throws a 400 if no amount can match. */
export function checkAmounts(given: object, { program }: CardContext['actor']): void {
  const { min_amount: min, max_amount: max } = given as Record<string, string | undefined>;
  const [least, most] = [min, max].map((text) => text && parseAmount(text, program.currency));
  if (typeof least === 'bigint' && typeof most === 'bigint' && least > most)
    throw invalid('min_amount', 'must not exceed max_amount');
}
