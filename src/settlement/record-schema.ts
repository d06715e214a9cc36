import { type Static, Type } from 'typebox';
import { presentedData } from '../cards/network-data-schema.ts';
import { cardNumber, currency, decimal, MerchantBody, messageId } from '../cards/network-schema.ts';
import { rule } from '../http/schemas.ts';

/** Types that are booked today, and those of the format that are not yet. */
export const BOOKED_TYPES = ['clearing', 'refund', 'clearing_reversal', 'refund_reversal'] as const;
export const LATER_TYPES = ['fee', 'dispute_credit', 'dispute_debit'] as const;

export const HeaderRecord = Type.Object({
  record_type: Type.Literal('header'),
  file_id: Type.String(),
  settlement_date: Type.String({ format: 'date' }),
  currency,
});

export const TrailerRecord = Type.Object({
  record_type: Type.Literal('trailer'),
  count: Type.Integer({ minimum: 0 }),
  debit_total: decimal('The sum of `bill_amount` of the debit records.'),
  credit_total: decimal('The sum of `bill_amount` of the others.'),
});

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const optional = Type.Optional;

export const FileRecord = Type.Object({
  record_type: Type.Enum([...BOOKED_TYPES]),
  network_id: messageId('Id of the message at the network.', 'clr-000042'),
  reverses: optional(messageId('The `network_id` that a reversal takes back.', 'clr-000041')),
  external_transaction_id: optional(messageId('Network id of the purchase.', 'net-20261115-000042')),
  card_number: optional(cardNumber),
  card_id: optional(text(255)),
  amount: decimal("In the merchant's currency."),
  currency,
  bill_amount: decimal("In the card's currency."),
  bill_currency: currency,
  interchange_amount: presentedData.interchange_amount,
  approval_code: optional(
    Type.String({ pattern: '^[A-Za-z0-9]{1,6}$', ...rule('must be 1 to 6 letters and digits') }),
  ),
  retrieval_reference: optional(text(255)),
  arn: optional(text(255)),
  presentment: optional(Type.Integer({ minimum: 1, maximum: 2 })),
  event_time: Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]\\d{2}:?\\d{2})$',
    ...rule('must be a time as YYYY-MM-DDThh:mm:ssZ'),
  }),
  case_id: optional(text(255)),
  final: optional(Type.Boolean()),
  merchant: optional(MerchantBody),
});

export type HeaderRecord = Static<typeof HeaderRecord>;
export type TrailerRecord = Static<typeof TrailerRecord>;
export type FileRecord = Static<typeof FileRecord>;

type Kind = 'text' | 'number' | 'boolean';

/** The columns of a CSV file: every field, a merchant's as `merchant.id`. */
export const COLUMNS: ReadonlyMap<string, Kind> = new Map(
  [HeaderRecord, TrailerRecord, FileRecord].flatMap(({ properties }) =>
    Object.entries(properties as Record<string, { type?: string }>).flatMap(([name, { type }]) =>
      name === 'merchant'
        ? Object.keys(MerchantBody.properties).map((part): [string, Kind] => [`merchant.${part}`, 'text'])
        : [[name, type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'text'] as [string, Kind]],
    ),
  ),
);
