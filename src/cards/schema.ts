import { type Static, Type } from 'typebox';
import { OPTIONAL_BODY } from '../http/body.ts';
import { MetadataChanges, metadataOf } from '../http/metadata-schema.ts';
import { nullable, rule } from '../http/schemas.ts';
import { REASON_CODES } from './card.ts';
import { EXAMPLE_CARD, EXAMPLE_CONTACT } from './examples.ts';
import { RENEW_OPTIONS } from './renewal.ts';

const text = (options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, pattern: '\\S', ...rule('must not be empty'), ...options });

const date = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] });

const countryAlpha3 = Type.String({
  format: 'country-alpha-3',
  description: 'ISO 3166-1 alpha-3 code.',
  examples: ['GBR'],
});
const dialCode = Type.Integer({
  minimum: 1,
  maximum: 9999,
  description: 'Country dial code without the plus sign.',
  examples: [44],
});
const email = (description: string) =>
  Type.String({
    pattern: '^[^\\s@]+@[^\\s@]+$',
    maxLength: 254,
    ...rule('must be an e-mail address'),
    description,
  });

const CardName = Type.String({
  minLength: 1,
  maxLength: 27,
  pattern: '^(?=.*\\S)[^;:!?<>~\\\\%@{}|\\[\\]\\u201d_]*$',
  ...rule('must not be blank or contain any of ; : ! ? < > ~ \\ % @ { } | [ ] ” _'),
  description: 'Name of the card, printed on a physical card.',
  examples: ['ADA LOVELACE'],
});

const ConsumerKyc = Type.Object(
  {
    firstName: text({ maxLength: 20, examples: ['Ada'] }),
    lastName: text({ maxLength: 20, examples: ['Lovelace'] }),
    dob: date('Date of birth, in the past.', '1990-12-10'),
    residentialAddress: Type.Object({
      idDocumentType: text({
        description: 'Type of government ID, such as passport.',
        examples: ['passport'],
      }),
      idDocumentNumber: text({ maxLength: 255, examples: ['P1234567'] }),
      line1: text({ maxLength: 255, examples: ['12 St James Square'] }),
      line2: Type.String({ maxLength: 255, description: 'Required, may be empty.', examples: [''] }),
      city: text({ maxLength: 255, examples: ['London'] }),
      country: countryAlpha3,
      postalCode: Type.Optional(Type.String({ examples: ['SW1Y 4JH'] })),
    }),
  },
  { title: 'ConsumerKyc' },
);

const BusinessKyc = Type.Object(
  {
    fullName: text({ description: 'Full legal name.', examples: ['Analytical Engines Ltd'] }),
    entityType: Type.Enum(['personal', 'company']),
    businessRegistrationNumber: text({ examples: ['01234567'] }),
    businessOperationAddress: Type.Object({
      line1: text(),
      line2: Type.String({ description: 'Required, may be empty.' }),
      city: text(),
      country: countryAlpha3,
      postalCode: Type.Optional(Type.String()),
    }),
  },
  { title: 'BusinessKyc' },
);

const contactFields = {
  otpPhoneNumber: Type.Object({
    dialCode,
    phoneNumber: Type.String({
      pattern: '^\\d{4,15}$',
      ...rule('must be 4 to 15 digits'),
      examples: ['7700900123'],
    }),
  }),
  email: Type.Optional(nullable(email('Used for authentication. Recommended.'))),
};

export const Meta = Type.Object(
  {
    id: text({
      description: "The cardholder's id in your system; returned as externalCustomerId.",
      examples: ['customer-42'],
    }),
    ...contactFields,
  },
  { title: 'CardholderMeta' },
);

/** The operation requires one of them. */
export const ContactBody = Type.Object(
  {
    otpPhoneNumber: Type.Optional(contactFields.otpPhoneNumber),
    email: contactFields.email,
  },
  { title: 'ContactRequest', examples: [EXAMPLE_CONTACT] },
);
export type ContactBody = Static<typeof ContactBody>;

/** Space, and ASCII 33 to 122 without the forbidden characters. */
const ADDRESS_CHARACTERS = '[ "#$&()*+,\\-./0-9=A-Z_`a-z]';
const ADDRESS_RULE = "must be plain ASCII, not blank, without ; : ! ? < > ~ \\ % ^ @ { } | [ ] '";
const addressText = (options: Record<string, unknown> = {}) =>
  Type.String({
    minLength: 1,
    pattern: `^(?=.*\\S)${ADDRESS_CHARACTERS}*$`,
    ...rule(ADDRESS_RULE),
    ...options,
  });
const optionalAddressText = (description: string) =>
  Type.Optional(
    nullable(
      Type.String({
        pattern: `^${ADDRESS_CHARACTERS}*$`,
        ...rule(ADDRESS_RULE.replace(' not blank,', '')),
        description,
      }),
    ),
  );

export const ShippingInformation = Type.Object(
  {
    shippingAddress: Type.Object({
      line1: addressText({ maxLength: 50, examples: ['12 St James Square'] }),
      line2: optionalAddressText('Address line 2.'),
      zone: optionalAddressText('State, province or region.'),
      city: addressText({ maxLength: 20, examples: ['London'] }),
      postalCode: Type.String({
        minLength: 1,
        maxLength: 10,
        pattern: '^(?=.*\\S)[0-9A-Za-z -]*$',
        ...rule('must be digits, letters, spaces and hyphens'),
        examples: ['SW1Y 4JH'],
      }),
      country: Type.String({
        format: 'country-alpha-2',
        description: 'ISO 3166-1 alpha-2 code.',
        examples: ['GB'],
      }),
    }),
    recipientFirstName: text({ examples: ['Ada'] }),
    recipientLastName: text({ examples: ['Lovelace'] }),
    recipientPhoneNumber: Type.String({
      pattern: '^[+() -]*(?:\\d[+() -]*){4,15}$',
      ...rule('must be a phone number of 4 to 15 digits'),
      examples: ['7700900123'],
    }),
    recipientDialCode: dialCode,
    recipientEmail: email('E-mail of the recipient.'),
    cardDesign: text({ description: 'Card design id.', examples: ['classic-black'] }),
  },
  { title: 'ShippingInformation' },
);

const { cardDesign: _, ...delivery } = ShippingInformation.properties;
const Delivery = Type.Object(delivery, {
  title: 'DeliveryInformation',
  description: 'Where a physical card is shipped to. Ignored for a virtual card.',
});

const usageTime = (description: string, example: string) =>
  Type.Optional(nullable(Type.String({ description, examples: [example] })));

/** Also the body of its own path. */
export const UsageBody = nullable(
  Type.Object(
    {
      purchases: Type.Optional(
        nullable(
          Type.Integer({
            minimum: 1,
            maximum: 1000,
            description:
              'How many purchases are approved. One counts while something of it is held or has cleared.',
          }),
        ),
      ),
      merchants: Type.Optional(
        Type.Union(
          [
            Type.Literal('FIRST'),
            Type.Array(text({ maxLength: 255 }), { minItems: 1, maxItems: 50, examples: [['M-1001']] }),
            Type.Null(),
          ],
          {
            description:
              'The ids of the only merchants that are approved. `FIRST`: the merchant of the first purchase that counts, until none counts any more.',
            ...rule('must be "FIRST", a list of 1 to 50 merchant ids, or null'),
          },
        ),
      ),
      from: usageTime('Nothing is approved before. A timestamp with an offset.', '2026-12-01T00:00:00Z'),
      until: usageTime(
        'Nothing is approved from then on. A timestamp with an offset.',
        '2027-01-01T00:00:00Z',
      ),
    },
    { title: 'CardUsageRequest' },
  ),
  'Null: the card may be used for anything.',
);

/** With what was used. */
export const Usage = nullable(
  Type.Object(
    {
      purchases: nullable(Type.Integer()),
      merchants: nullable(Type.Union([Type.Literal('FIRST'), Type.Array(Type.String())])),
      from: nullable(Type.String()),
      until: nullable(Type.String()),
      used: Type.Integer({
        description: 'The purchases that count. Changing the rule does not change them.',
      }),
      lockedTo: nullable(Type.String(), 'With `FIRST`: the merchant id. Null: no purchase counts yet.'),
    },
    { title: 'CardUsage' },
  ),
  'Null: the card may be used for anything.',
);

const commonFields = {
  kycApplicantId: text({ description: 'Applicant id at the KYC provider.', examples: ['applicant-1'] }),
  cardType: Type.Enum(['physical', 'virtual'], {
    description: 'Use `physical` if a physical card may ever be shipped.',
  }),
  preferredCardName: CardName,
  spendLimit: Type.Optional(
    Type.Number({ minimum: 0, description: 'Opening balance. Default 0.', examples: [250] }),
  ),
  expiryDate: Type.Optional(
    nullable(date('At least one month from today. Default: three years from today.', '2029-12-31')),
  ),
  meta: Meta,
  cardDesign: Type.Optional(text({ description: "Card design id. Default: the program's default design." })),
  metadata: Type.Optional(MetadataChanges),
  usage: Type.Optional(UsageBody),
  shippingInformation: Type.Optional(Delivery),
};

const ConsumerCard = Type.Object(
  { customerType: Type.Literal('Consumer'), kyc: ConsumerKyc, ...commonFields },
  { title: 'CreateConsumerCardRequest' },
);
const BusinessCard = Type.Object(
  { customerType: Type.Literal('Business'), kyc: BusinessKyc, ...commonFields },
  { title: 'CreateBusinessCardRequest' },
);

/** `customerType` decides the shape of `kyc`; errors name only fields of that shape. */
export const CreateCardBody = Type.Unsafe<Static<typeof ConsumerCard> | Static<typeof BusinessCard>>({
  title: 'CreateCardRequest',
  type: 'object',
  discriminator: { propertyName: 'customerType' },
  required: ['customerType'],
  oneOf: [ConsumerCard, BusinessCard],
  examples: [EXAMPLE_CARD],
  'x-rule': 'must be one of Consumer, Business',
});
export type CreateCardBody = Static<typeof ConsumerCard> | Static<typeof BusinessCard>;

export const Card = Type.Object(
  {
    id: Type.String({ examples: ['019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f'] }),
    currency: Type.String({ examples: ['EUR'] }),
    lastFour: Type.String({ examples: ['7803'] }),
    externalCustomerId: Type.String({ examples: ['customer-42'] }),
    cardholderName: Type.String({ examples: ['Ada Lovelace'] }),
    cardName: Type.String({ examples: ['ADA LOVELACE'] }),
    cardDesign: Type.String({ examples: ['classic-black'] }),
    cardType: Type.Enum(['physical', 'virtual']),
    status: Type.Enum(['ACTIVE', 'FROZEN', 'BLOCKED', 'EXPIRED']),
    created: Type.String({ examples: ['2026-11-15T08:30:00+0000'] }),
  },
  { title: 'Card' },
);

const limit = (description: string) =>
  Type.Optional(nullable(Type.Number({ minimum: 0, description: `${description} Null means no limit.` })));
const mccs = (description: string) =>
  Type.Optional(
    Type.Array(
      Type.String({ pattern: '^\\d{4}$', ...rule('must be a merchant category code of 4 digits') }),
      { maxItems: 1000, description, examples: [['5411', '5812']] },
    ),
  );

const temporaryLimit = Type.Optional(
  nullable(
    Type.Object({
      amount: Type.Number({ minimum: 0, examples: [500] }),
      endsAt: Type.String({
        description: 'A timestamp with an offset, at most 90 days after program time.',
        examples: ['2026-12-01T00:00:00Z'],
      }),
    }),
  ),
);

export const TemporaryLimitsBody = Type.Object(
  { transactionLimit: temporaryLimit, dailyLimit: temporaryLimit, monthlyLimit: temporaryLimit },
  {
    title: 'TemporaryLimitsRequest',
    description:
      'Each applies instead of the limit of the same name until it ends, if it is higher. Without that limit it has no effect. Null ends it at once; absent ones do not change.',
  },
);

export const SpendControlsBody = Type.Object(
  {
    transactionLimit: limit('Maximum for one authorization.'),
    dailyLimit: limit('Maximum per UTC day.'),
    monthlyLimit: limit('Maximum per UTC calendar month.'),
    allTimeLimit: limit('Maximum over the lifetime of the card.'),
    allowedMccs: mccs('If not empty, only these merchant categories are allowed.'),
    blockedMccs: mccs('These merchant categories are declined.'),
    temporaryLimits: Type.Optional(TemporaryLimitsBody),
  },
  { title: 'SpendControlsRequest' },
);

const shownTemporaryLimit = nullable(Type.Object({ amount: Type.Number(), endsAt: Type.String() }));
const TemporaryLimits = Type.Object(
  {
    transactionLimit: shownTemporaryLimit,
    dailyLimit: shownTemporaryLimit,
    monthlyLimit: shownTemporaryLimit,
  },
  { title: 'TemporaryLimits', description: 'Those that have not ended.' },
);

export const SpendControls = Type.Object(
  {
    transactionLimit: nullable(Type.Number()),
    dailyLimit: nullable(Type.Number()),
    monthlyLimit: nullable(Type.Number()),
    allTimeLimit: nullable(Type.Number()),
    allowedMccs: Type.Array(Type.String()),
    blockedMccs: Type.Array(Type.String()),
    temporaryLimits: TemporaryLimits,
  },
  { title: 'SpendControls' },
);

export const AdjustmentBody = Type.Object(
  {
    amount: Type.Number({
      description: 'Positive raises the available credit, negative lowers it.',
      examples: [50],
    }),
    reference: text({ maxLength: 255, description: 'Your own reference.', examples: ['top-up 7'] }),
  },
  { title: 'BalanceAdjustmentRequest' },
);

export const AdjustmentAnswer = Type.Object(
  {
    id: Type.String(),
    cardId: Type.String(),
    amount: Type.Number(),
    reference: Type.String(),
    availableCredit: Type.Number({ description: 'Available credit after the adjustment.' }),
    created: Type.String(),
  },
  { title: 'BalanceAdjustment' },
);

export const ListedAdjustment = Type.Object(
  {
    id: Type.String(),
    amount: Type.Number({ description: 'Positive raised the available credit, negative lowered it.' }),
    currency: Type.String(),
    reference: Type.String(),
    created: Type.String(),
  },
  { title: 'ListedBalanceAdjustment' },
);

export const CardDetails = Type.Object(
  {
    ...Card.properties,
    statusReason: nullable(Type.String({ description: 'Why the card was frozen or blocked.' })),
    availableCredit: Type.Number({ examples: [250] }),
    spendLimit: Type.Number({ examples: [250] }),
    expiryDate: Type.String({ format: 'date', examples: ['2029-11-15'] }),
    spendControls: SpendControls,
    usage: Usage,
    replaces: nullable(
      Type.String({ description: 'Id of the blocked card in whose place this card was issued.' }),
    ),
    replacedBy: nullable(
      Type.String({ description: 'Id of the card that was issued in place of this one.' }),
    ),
    shipment: nullable(
      Type.Object(
        {
          status: Type.Enum(['ORDERED', 'SHIPPED', 'DELIVERED', 'RETURNED']),
          cardDesign: Type.String(),
          created: Type.String(),
        },
        { title: 'Shipment' },
      ),
    ),
    meta: Type.Object({
      id: Type.String(),
      otpPhoneNumber: Type.Object({ dialCode: Type.Integer(), phoneNumber: Type.String() }),
      email: nullable(Type.String()),
    }),
    metadata: metadataOf('card'),
  },
  { title: 'CardDetails' },
);

export const Credentials = Type.Object(
  {
    cardNumber: Type.String({ examples: ['9999000000000000'] }),
    cvv: Type.String({ examples: ['123'] }),
    expiryMonth: Type.Integer({ examples: [11] }),
    expiryYear: Type.Integer({ examples: [2029] }),
    expiryDate: Type.String({ format: 'date', examples: ['2029-11-15'] }),
  },
  { title: 'Credentials' },
);

export const CardPath = Type.Object({ cardId: Type.String({ description: 'Card id.' }) });

const enabled = Type.Boolean({ description: 'Whether challenges of 3-D Secure go to your app.' });
export const ForwardingBody = Type.Object({ enabled }, { title: 'ForwardingRequest' });
export const Forwarding = Type.Object({ enabled }, { title: 'Forwarding' });

export const FreezeBody = Type.Object(
  {
    freeze: Type.Boolean({ description: 'true freezes, false unfreezes.', examples: [true] }),
    reason: Type.Optional(
      nullable(
        text({
          maxLength: 255,
          description: 'Why the card is frozen; shown as `statusReason` until it is unfrozen.',
          examples: ['cardholder travels'],
        }),
      ),
    ),
  },
  { title: 'FreezeCardRequest' },
);
export const FreezeCardResponse = Type.Object(
  { freeze: Type.Boolean(), message: Type.String() },
  { title: 'FreezeCardResponse' },
);

export const BlockBody = Type.Object(
  {
    reason: text({
      maxLength: 255,
      description: 'Short text, such as lost, stolen, fraud suspected.',
      examples: ['stolen'],
    }),
    reasonCode: Type.Optional(
      Type.Enum([...REASON_CODES], {
        description:
          'Decides the error and network code of the blocked card. Absent: derived from the words fraud, lost and stolen in `reason`, else `OTHER`.',
        examples: ['STOLEN'],
      }),
    ),
  },
  { title: 'BlockCardRequest' },
);

/** For the console: the rest comes from the blocked card and its application. */
export const ReplacementBody = Type.Object(
  {
    spendLimit: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'Opening balance. Default: the remaining balance of the blocked card, at least 0.',
        examples: [250],
      }),
    ),
    shippingInformation: Type.Optional(Delivery),
  },
  { title: 'ReplacementRequest', [OPTIONAL_BODY]: true },
);
export type ReplacementBody = Static<typeof ReplacementBody>;

export const ReissueBody = Type.Object(
  {
    renewOption: Type.Optional(
      Type.Enum([...RENEW_OPTIONS], { description: 'Default NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE.' }),
    ),
    expiryDate: Type.Optional(
      date('Required for the options with a custom expiry. At least one month from today.', '2029-12-31'),
    ),
    shippingInformation: Type.Optional(ShippingInformation),
  },
  { title: 'ReissueCardRequest', [OPTIONAL_BODY]: true },
);
export type ReissueBody = Static<typeof ReissueBody>;
