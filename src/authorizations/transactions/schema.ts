import { type Static, Type } from 'typebox';
import { MessageData } from '../../cards/network-data-schema.ts';
import { EXAMPLE_MERCHANT } from '../../cards/network-schema.ts';
import { DECISION_OUTCOMES } from '../../decisions/decision.ts';
import { metadataOf } from '../../http/metadata-schema.ts';
import { nullable } from '../../http/schemas.ts';
import { AUTHORIZATION_MODES } from '../../programs/program.ts';
import { matchedRules } from '../../rules/schema.ts';
import { UNCOUNTED_REASONS } from '../core/authentication.ts';
import { DECLINES } from '../core/decline.ts';
import { FLAGS } from '../core/flag.ts';
import { CHANNELS } from '../core/transaction.ts';

export const channel = Type.Enum([...CHANNELS]);
export const transactionStatus = Type.Enum(['PENDING', 'CLEARED', 'DECLINED', 'VOID']);
export const authorizationMode = Type.Enum([...AUTHORIZATION_MODES], {
  description:
    'The authorization mode in which the transaction was made: that of the program, or `STANDARD` if Emboss decided in place of the merchant.',
});
export const declineReason = Type.Enum(Object.keys(DECLINES), { title: 'DeclineReason' });

export const Merchant = Type.Object(
  {
    id: Type.String(),
    name: nullable(Type.String(), 'Null if the network did not give it.'),
    mcc: Type.String({ description: 'Merchant category code of 4 digits.' }),
    city: nullable(Type.String(), 'Null if the network did not give it.'),
    country: nullable(Type.String(), 'ISO 3166-1 alpha-3; null if unknown.'),
  },
  { title: 'Merchant', examples: [EXAMPLE_MERCHANT] },
);

export const Transaction = Type.Object(
  {
    id: Type.String(),
    external_transaction_id: Type.String(),
    card_id: Type.String(),
    bill_amount: Type.Number({
      description:
        "What the transaction is now, in the card's currency: held and cleared while it is pending, then cleared; what was requested if it is declined or void. A refund is negative.",
    }),
    bill_currency: Type.String(),
    cardholder_name: Type.String(),
    amount: Type.String({ description: "The same in the merchant's currency." }),
    currency: Type.String(),
    status: transactionStatus,
    created: Type.String(),
  },
  { title: 'Transaction' },
);

const nullableText = nullable(Type.String());
const money = (description: string) => Type.String({ description, examples: ['12.50'] });

export const Decision = Type.Object(
  {
    source: Type.Enum(['merchant', 'stand_in', 'emboss', 'network'], {
      description:
        'Who decided: the decision endpoint, the rule that stands in for it, our own rules, or the network instead of us.',
    }),
    outcome: Type.Enum([...DECISION_OUTCOMES], {
      description: 'What the merchant or another source answered, or why the merchant gave no answer.',
    }),
    duration_ms: nullable(
      Type.Integer(),
      'How long Emboss waited for the merchant; null if no request was sent.',
    ),
    reason: nullableText,
    reference: nullableText,
    // `Type.Record` would be documented in two ways: in events by `patternProperties`.
    metadata: nullable(
      Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    ),
  },
  { title: 'Decision' },
);

export const flags = Type.Array(Type.Enum([...FLAGS]), {
  description:
    'What a person should look at. `no_authorization`: cleared without one, or after a decline or a whole reversal. `over_hold`: cleared above all that was approved by more than the program allows. `late`: cleared after the hold expired. `after_block`: cleared after the card was blocked. `duplicate`: the same card, `arn`, amount and currency cleared before under another id.',
});
export const reverses = Type.String({
  description: 'Of a reversal: the id of the clearing, refund or increment that it takes back.',
});

export const changed = Type.Array(Type.Enum(['parent_transaction_id', 'metadata']), {
  description: 'Of `transaction.updated`: what changed.',
});

/** How the cardholder of a purchase was authenticated. */
export const TransactionAuthentication = Type.Object(
  {
    authentication_id: nullable(Type.String(), 'Null if the network gave an ECI.'),
    eci: nullable(Type.String(), 'Electronic commerce indicator of two digits.'),
    authenticated: Type.Boolean({ description: 'Whether the authentication counts for the purchase.' }),
    reason: nullable(
      Type.Enum([...UNCOUNTED_REASONS]),
      'Why the authentication does not count; null if it counts.',
    ),
  },
  {
    title: 'TransactionAuthentication',
    description:
      'How the cardholder was authenticated. The event of an increment shows whether the authentication covers the raised amount. Absent from events if the authorization had none.',
  },
);

/** The numbers behind a decline. */
export const DeclineLimits = Type.Object(
  {
    limit: Type.Optional(
      Type.Enum(['transactionLimit', 'dailyLimit', 'monthlyLimit', 'allTimeLimit'], {
        description: 'For a decline by a limit: which one.',
      }),
    ),
    value: Type.Optional(money('Value of the limit.')),
    spent: Type.Optional(money('What counted in it already.')),
    resets_at: Type.Optional(nullable(Type.String(), 'When it starts again; null: never.')),
    available: Type.Optional(money('For a decline by funds: what was available.')),
    needed: Type.Optional(money('What the purchase and its fees needed.')),
  },
  { title: 'DeclineLimits' },
);

export const TransactionDetails = Type.Object(
  {
    ...Transaction.properties,
    kind: Type.Enum(['purchase', 'refund']),
    channel: nullable(channel),
    merchant: nullable(Merchant),
    authentication: nullable(TransactionAuthentication, 'Null if the authorization had none.'),
    decline_code: nullableText,
    decline_reason: nullable(declineReason),
    network_code: nullableText,
    approval_code: nullableText,
    authorization_mode: authorizationMode,
    fx_fee: money("FX fee on what is held and cleared, in the card's currency."),
    atm_fee: money("ATM fee, in the card's currency."),
    held_amount: money("Still held, without fees, in the card's currency."),
    cleared_amount: money("Cleared, in the card's currency."),
    flags,
    rules: matchedRules('The rules that matched its authorization, at most 20.'),
    network: nullable(MessageData, 'Null if the network said nothing of it.'),
    metadata: metadataOf('transaction'),
    parent_transaction_id: nullable(Type.String(), 'Of a refund: the purchase, if it is known.'),
    refunds: Type.Array(Type.String(), {
      description: 'Of a purchase: the ids of its refunds, the first 100.',
    }),
    refunded_amount: money("Refunded, in the card's currency."),
    decision: nullable(Decision, 'Null without an authorization, or if its event is not among `events`.'),
    limits: nullable(DeclineLimits, 'The numbers behind a decline by a limit or by funds.'),
    events_total: Type.Integer({ description: 'Number of all events of its history.' }),
    events: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          created: Type.String(),
          message_id: Type.String({
            description: 'Id of the network message; for an expired hold, that of its authorization.',
          }),
          status: transactionStatus,
          amount: Type.String(),
          currency: Type.String(),
          bill_amount: Type.String(),
          fx_fee: Type.String(),
          atm_fee: Type.String(),
          decline_reason: nullableText,
          reverses: Type.Optional(reverses),
          flags: Type.Optional(flags),
          network: Type.Optional(nullable(MessageData)),
          authentication: Type.Optional(TransactionAuthentication),
          rules: Type.Optional(
            matchedRules('The rules that matched this authorization, increment or advice.'),
          ),
          decision: Type.Optional(Decision),
          limits: Type.Optional(
            nullable(DeclineLimits, 'For a declined authorization or increment: the numbers behind it.'),
          ),
        },
        { title: 'TransactionHistoryEvent' },
      ),
      { description: 'Its history, oldest first: the first event and the newest 500.' },
    ),
  },
  { title: 'TransactionDetails' },
);

export type TransactionDetails = Static<typeof TransactionDetails>;

export const TransactionPath = Type.Object({
  transactionId: Type.String({ description: 'Transaction id.' }),
});
