import { type Static, Type } from 'typebox';
import {
  STATUSES as AUTHENTICATION_STATUSES,
  CATEGORIES,
  METHODS,
  PURPOSES,
  REASONS,
} from '../../authentications/authentication.ts';
import { AUTHORIZATION_TYPES } from '../../authorizations/core/authorization-type.ts';
import { CHANNELS } from '../../authorizations/core/transaction.ts';
import {
  authorizationMode,
  changed,
  Decision,
  DeclineLimits,
  flags,
  Merchant,
  reverses,
  TransactionAuthentication,
} from '../../authorizations/transactions/schema.ts';
import { MessageData } from '../../cards/network-data-schema.ts';
import { Card } from '../../cards/schema.ts';
import { metadataOf } from '../../http/metadata-schema.ts';
import { nullable } from '../../http/schemas.ts';
import { matchedRules } from '../../rules/schema.ts';
import { before, decimal, next, nullableText, ProgramPath, text, timestamp } from '../console-schema.ts';

const STATUSES = ['PENDING', 'CLEARED', 'DECLINED', 'VOID'] as const;

const Fees = Type.Object({
  fx: decimal("FX fee, in the card's currency."),
  atm: decimal("ATM fee, in the card's currency."),
});

const decline = nullable(
  Type.Object({
    code: text,
    reason: text,
    networkCode: text,
    meaning: Type.String({ description: 'Why the purchase was declined.' }),
    remedy: Type.String({ description: 'What to do about the decline.' }),
    limits: nullable(
      DeclineLimits,
      'The numbers behind a decline by a limit or by funds, at the time of the decision.',
    ),
  }),
);

export const TransactionDetail = Type.Object(
  {
    id: text,
    externalTransactionId: text,
    cardId: text,
    lastFour: Type.String({ description: 'Last four digits of the number used.' }),
    cardholderName: text,
    kind: Type.Enum(['purchase', 'refund']),
    type: nullable(Type.Enum([...AUTHORIZATION_TYPES]), 'Null: a purchase, or no authorization said it.'),
    status: Type.Enum([...STATUSES]),
    amount: decimal("In the merchant's currency; a refund is negative."),
    currency: text,
    billAmount: decimal("In the card's currency; a refund is negative."),
    billCurrency: text,
    fees: Fees,
    total: decimal('The bill amount with its fees: what the card was charged or would be charged.'),
    channel: nullable(Type.Enum([...CHANNELS])),
    merchant: nullable(Merchant),
    decline,
    approvalCode: nullableText,
    flags,
    network: nullable(MessageData, 'What the network said beside its amounts.'),
    created: timestamp(),
  },
  { title: 'TransactionDetail' },
);
export type TransactionDetail = Static<typeof TransactionDetail>;

const LedgerTransfer = Type.Object(
  {
    id: text,
    code: text,
    debit: Type.String({ description: 'Name of the debited account.' }),
    credit: Type.String({ description: 'Name of the credited account.' }),
    amount: decimal("In the program's currency."),
  },
  { title: 'LedgerTransfer' },
);

const TransactionEvent = Type.Object(
  {
    id: text,
    name: text,
    created: timestamp(),
    messageId: Type.String({ description: 'Network id of the message.' }),
    amount: nullableText,
    currency: text,
    billAmount: decimal(),
    billCurrency: text,
    fees: Fees,
    total: decimal('The bill amount with its fees: what the event held, took or gave back.'),
    status: Type.String({ description: 'Status of the transaction after this event.' }),
    decline,
    decision: nullable(Decision, 'For an authorization or an increment: who decided it.'),
    authentication: nullable(
      TransactionAuthentication,
      'For an authorization or an increment: how the cardholder was authenticated.',
    ),
    rules: Type.Optional(
      matchedRules('The rules that matched this authorization, increment or advice; absent if none did.'),
    ),
    flags: Type.Optional(flags),
    reverses: Type.Optional(reverses),
    changed: Type.Optional(changed),
    transfers: Type.Array(LedgerTransfer),
  },
  { title: 'TransactionLifeEvent' },
);

export const TransactionLife = Type.Object(
  {
    transaction: TransactionDetail,
    authorizationMode,
    card: Card,
    parent: nullable(TransactionDetail),
    refunds: Type.Array(TransactionDetail),
    metadata: metadataOf('transaction'),
    eventsTotal: Type.Integer({ description: 'Number of all events.' }),
    events: Type.Array(TransactionEvent, {
      description: 'Oldest first: the first event and the newest 500.',
    }),
  },
  { title: 'TransactionLife' },
);
export type TransactionLife = Static<typeof TransactionLife>;

export const AuthenticationDetail = Type.Object(
  {
    id: text,
    cardId: text,
    authenticationId: Type.String({ description: 'Id at the access control server or the wallet.' }),
    purpose: Type.Enum([...PURPOSES]),
    category: nullable(Type.Enum([...CATEGORIES])),
    status: Type.Enum([...AUTHENTICATION_STATUSES]),
    method: nullable(Type.Enum([...METHODS])),
    reason: nullable(Type.Enum([...REASONS])),
    wrongCodes: Type.Integer({ description: 'Number of wrong codes.' }),
    codesSent: Type.Integer({ description: 'Number of codes sent, failed sends included.' }),
    isUsed: Type.Boolean({ description: 'Whether an authorization used it.' }),
    amount: nullable(decimal("In the merchant's currency; null for a wallet.")),
    currency: nullableText,
    merchantName: nullableText,
    wallet: nullableText,
    created: timestamp(),
  },
  { title: 'AuthenticationDetail' },
);

export const Timeline = Type.Object(
  {
    results: Type.Array(TransactionDetail),
    authentications: Type.Array(AuthenticationDetail, {
      description: 'Those of the same period; both lists together are a page.',
    }),
    next,
  },
  { title: 'TransactionTimeline' },
);

export const TimelineQuery = Type.Object({ before });

export const TransactionPath = Type.Object({
  ...ProgramPath.properties,
  transactionId: Type.String({ description: 'Transaction id.' }),
});
