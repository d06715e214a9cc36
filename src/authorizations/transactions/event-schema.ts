import { type TSchema, Type } from 'typebox';
import { MessageData } from '../../cards/network-data-schema.ts';
import { EXAMPLE_MERCHANT } from '../../cards/network-schema.ts';
import { documentEvents, sequence } from '../../events/schema.ts';
import { metadataOf } from '../../http/metadata-schema.ts';
import { nullable } from '../../http/schemas.ts';
import { matchedRules } from '../../rules/schema.ts';
import { DECLINES } from '../core/decline.ts';
import { EXAMPLE_DETAILS, EXAMPLE_TRANSACTION } from './examples.ts';
import {
  authorizationMode,
  changed,
  channel,
  Decision,
  DeclineLimits,
  declineReason,
  flags,
  Merchant,
  reverses,
  TransactionAuthentication,
  transactionStatus,
} from './schema.ts';

const money = (description: string) => Type.String({ description, examples: ['12.50'] });

const TransactionEventData = Type.Object(
  {
    transaction_id: Type.String(),
    external_transaction_id: Type.String(),
    card_id: Type.String(),
    sequence,
    message_id: Type.String({
      description: 'Id of the network message; for an expired hold, that of its authorization.',
    }),
    status: transactionStatus,
    amount: money("Amount of this event in the merchant's currency."),
    currency: Type.String({ examples: ['EUR'] }),
    bill_amount: money("Amount of this event in the card's currency."),
    bill_currency: Type.String({ examples: ['EUR'] }),
    requested_amount: Type.Optional(
      money("What was requested, in the card's currency; absent if all of it was approved."),
    ),
    fx_fee: money("Fee of this event, in the card's currency."),
    fx_fee_bps: Type.Integer({ description: 'In basis points.' }),
    atm_fee: money("Fee of this event, in the card's currency."),
    taken_amount: money(
      'What the transaction takes from the cardholder after this event: the held and cleared amounts with their fees. Below zero for a refund. The event with the highest `sequence` of a transaction has its current value.',
    ),
    channel: nullable(channel),
    merchant: nullable(Merchant),
    decline_code: nullable(Type.String()),
    decline_reason: nullable(declineReason),
    network_code: nullable(Type.String()),
    approval_code: nullable(Type.String()),
    parent_transaction_id: nullable(Type.String(), 'For a refund: the purchase that it refunds.'),
    authorization_mode: authorizationMode,
    authentication: Type.Optional(TransactionAuthentication),
    rules: Type.Optional(
      matchedRules('The rules that matched this attempt, at most 20; absent if none did.'),
    ),
    decision: Type.Optional(Decision),
    network: nullable(MessageData, 'What this message of the network said beside its amounts.'),
    metadata: Type.Optional(
      metadataOf('transaction; absent if it has none, except after its last pair was removed'),
    ),
    flags: Type.Optional(flags),
    reverses: Type.Optional(reverses),
    changed: Type.Optional(changed),
  },
  { title: 'TransactionEventData' },
);

/**
 * The status can have any value: money that cleared before the authorization arrived stays cleared if that is declined.
 */
const DeclinedEventData = Type.Object(
  {
    ...TransactionEventData.properties,
    decline_code: Type.String(),
    decline_reason: declineReason,
    network_code: Type.String(),
    approval_code: nullable(Type.String()),
    limits: nullable(DeclineLimits, 'The numbers behind a decline by a limit or by funds.'),
  },
  { title: 'DeclinedEventData' },
);

const example = (more: Record<string, unknown> = {}) => ({
  transaction_id: EXAMPLE_TRANSACTION.id,
  external_transaction_id: EXAMPLE_TRANSACTION.external_transaction_id,
  card_id: EXAMPLE_TRANSACTION.card_id,
  sequence: 2,
  message_id: EXAMPLE_TRANSACTION.external_transaction_id,
  status: 'PENDING',
  amount: '12.50',
  currency: 'EUR',
  bill_amount: '12.50',
  bill_currency: 'EUR',
  fx_fee: '0.00',
  fx_fee_bps: 0,
  atm_fee: '0.00',
  taken_amount: '12.50',
  channel: 'POS',
  merchant: EXAMPLE_MERCHANT,
  decline_code: null,
  decline_reason: null,
  network_code: '00',
  approval_code: '482913',
  parent_transaction_id: null,
  authorization_mode: 'STANDARD',
  network: null,
  ...more,
});

const transactionEvent = (
  title: string,
  summary: string,
  more: Record<string, unknown> = {},
  data: TSchema = TransactionEventData,
) => ({ title, summary, data, exampleData: example(more) });

const { decision } = EXAMPLE_DETAILS;
const declined = {
  decision: { ...decision, outcome: 'declined' },
  limits: { available: '10.00', needed: '12.50' },
  status: 'DECLINED',
  taken_amount: '0.00',
  decline_code: DECLINES.insufficient_funds.declineCode,
  decline_reason: 'insufficient_funds',
  network_code: DECLINES.insufficient_funds.networkCode,
  approval_code: null,
};

export const TRANSACTION_EVENTS = documentEvents('transaction', {
  authorization: transactionEvent('AuthorizationEvent', 'An authorization was approved', { decision }),
  'authorization.declined': transactionEvent(
    'AuthorizationDeclinedEvent',
    'An authorization was declined',
    declined,
    DeclinedEventData,
  ),
  'authorization.increment': transactionEvent('AuthorizationIncrementEvent', 'A hold was raised', {
    sequence: 3,
    message_id: 'inc-000042',
    taken_amount: '25.00',
  }),
  'authorization.reversal': transactionEvent(
    'AuthorizationReversalEvent',
    'All or part of a hold was reversed',
    {
      sequence: 3,
      message_id: 'rev-000042',
      status: 'VOID',
      taken_amount: '0.00',
    },
  ),
  'authorization.clearing': transactionEvent('AuthorizationClearingEvent', 'A purchase was cleared', {
    sequence: 3,
    message_id: 'clr-000042',
    status: 'CLEARED',
    flags: [],
  }),
  'authorization.clearing.reversal': transactionEvent(
    'AuthorizationClearingReversalEvent',
    'All or part of a clearing was taken back',
    { sequence: 4, message_id: 'rev-000043', status: 'VOID', taken_amount: '0.00', reverses: 'clr-000042' },
  ),
  'authorization.expired': transactionEvent('AuthorizationExpiredEvent', 'A hold expired', {
    sequence: 3,
    status: 'VOID',
    taken_amount: '0.00',
  }),
  refund: transactionEvent('RefundEvent', 'A refund arrived', {
    sequence: 4,
    transaction_id: '019a85f3-0a51-7009-9f3e-5a1c2b3d4e5f',
    external_transaction_id: 'ref-000042',
    message_id: 'ref-000042',
    status: 'CLEARED',
    taken_amount: '-12.50',
    network_code: null,
    approval_code: null,
    parent_transaction_id: EXAMPLE_TRANSACTION.id,
  }),
  'refund.reversal': transactionEvent('RefundReversalEvent', 'All or part of a refund was taken back', {
    sequence: 5,
    transaction_id: '019a85f3-0a51-7009-9f3e-5a1c2b3d4e5f',
    external_transaction_id: 'ref-000042',
    message_id: 'rev-000044',
    status: 'VOID',
    taken_amount: '0.00',
    network_code: null,
    approval_code: null,
    parent_transaction_id: EXAMPLE_TRANSACTION.id,
    reverses: 'ref-000042',
  }),
  'transaction.updated': transactionEvent(
    'TransactionUpdatedEvent',
    'A refund was linked to its purchase, or metadata changed',
    {
      sequence: 6,
      transaction_id: '019a85f3-0a51-7009-9f3e-5a1c2b3d4e5f',
      external_transaction_id: 'ref-000042',
      status: 'CLEARED',
      amount: '0.00',
      bill_amount: '0.00',
      taken_amount: '-12.50',
      network_code: null,
      approval_code: null,
      parent_transaction_id: EXAMPLE_TRANSACTION.id,
      changed: ['parent_transaction_id'],
    },
  ),
});

const UnmatchedEventData = Type.Object(
  {
    kind: Type.Enum(['clearing', 'refund']),
    message_id: Type.String({ description: 'Id of the network message.' }),
    external_transaction_id: nullable(Type.String(), 'What the network named; null if it named no purchase.'),
    amount: money("In the merchant's currency."),
    currency: Type.String({ examples: ['EUR'] }),
    bill_amount: money("In the program's currency."),
    bill_currency: Type.String({ examples: ['EUR'] }),
    arn: nullable(Type.String(), 'The reference of the acquirer.'),
    channel: Type.Optional(nullable(channel)),
    merchant: Type.Optional(nullable(Merchant)),
    network: Type.Optional(nullable(MessageData)),
    reverses: Type.Optional(reverses),
  },
  { title: 'UnmatchedEventData' },
);

const unmatched = {
  kind: 'clearing',
  message_id: 'clr-000043',
  external_transaction_id: 'net-20261115-000043',
  amount: '12.50',
  currency: 'EUR',
  bill_amount: '12.50',
  bill_currency: 'EUR',
  arn: null,
};

/** Beside the events of `settlement` that `settlement/` describes. */
export const UNMATCHED_EVENTS = {
  'settlement.unmatched': {
    title: 'SettlementUnmatchedEvent',
    summary: 'A clearing or refund of a number that no card has was taken into suspense',
    data: UnmatchedEventData,
    exampleData: { ...unmatched, channel: 'POS', merchant: EXAMPLE_MERCHANT, network: null },
  },
  'settlement.unmatched.reversal': {
    title: 'SettlementUnmatchedReversalEvent',
    summary: 'All or part of one was taken back from suspense',
    data: UnmatchedEventData,
    exampleData: {
      ...unmatched,
      message_id: 'rev-000045',
      external_transaction_id: null,
      reverses: 'clr-000043',
    },
  },
};
