import { type Static, Type } from 'typebox';
import { OPTIONAL_BODY } from '../http/body.ts';
import { metadataOf } from '../http/metadata-schema.ts';
import { shownAs } from '../http/openapi-components.ts';
import { nullable } from '../http/schemas.ts';
import {
  DECISION_KINDS,
  MAX_TIMEOUT_MS,
  MIN_TIMEOUT_MS,
  ON_FAILURE,
  REQUEST_KINDS,
  REQUEST_OUTCOMES,
  requestName,
  STAND_IN_REASONS,
} from './decision.ts';

export const EndpointPath = Type.Object({
  kind: Type.String({
    description:
      'What the endpoint does: decide on an authorization, decide on an authentication, or send a one-time password.',
    ...shownAs(Type.Enum([...DECISION_KINDS])),
  }),
});

const StandInLimits = Type.Object(
  {
    transactionLimit: Type.Number({
      minimum: 0,
      description: 'Maximum for one authorization, without its fees.',
      examples: [50],
    }),
    dailyLimit: Type.Number({
      minimum: 0,
      description: 'Maximum that a card can have spent on a UTC day, by whichever decision.',
      examples: [200],
    }),
  },
  { title: 'StandInLimits' },
);

export const EndpointBody = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'URL that decides. Must be https in a live program.',
      examples: ['https://merchant.example/decisions'],
    }),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: MIN_TIMEOUT_MS,
        maximum: MAX_TIMEOUT_MS,
        description: 'Time limit of a decision, retry included. Default: 2000; for `otp`, 3000.',
      }),
    ),
    onFailure: Type.Optional(
      Type.Enum([...ON_FAILURE], {
        description:
          'For `authorization` only. What happens without a usable response. `DECLINE` (default); `STANDARD`: decide as in the authorization mode `STANDARD`; `APPROVE`: approve within `standIn`.',
      }),
    ),
    standIn: Type.Optional(
      nullable(
        StandInLimits,
        "For `authorization` only. The limits of `APPROVE`, in the program's currency; required for it. Default: null.",
      ),
    ),
    paused: Type.Optional(
      Type.Boolean({
        description: 'True: nothing is sent, and the rule for failures applies at once. Default: false.',
      }),
    ),
  },
  { title: 'DecisionEndpointRequest' },
);
export type EndpointBody = Static<typeof EndpointBody>;

/** In the console, of a change by which a server decides that did not decide before. */
export const UNTESTED = Type.Optional(
  Type.Boolean({
    description:
      'True: the server decides at once. Otherwise it must give a usable response to a signed test request first.',
  }),
);

const endpointFields = {
  kind: Type.Enum([...DECISION_KINDS]),
  url: Type.String(),
  timeoutMs: Type.Integer(),
  onFailure: nullable(Type.Enum([...ON_FAILURE]), 'Null for the kinds `authentication` and `otp`.'),
  standIn: nullable(StandInLimits),
  paused: Type.Boolean(),
  standInSince: nullable(
    Type.String(),
    'Since when, in program time, the endpoint gets no requests except probes. Null if it gets them.',
  ),
  standInReason: nullable(
    Type.Enum([...STAND_IN_REASONS]),
    '`paused`: by the merchant. `failing`: after five failures in a row; single requests check whether the endpoint responds again.',
  ),
  created: Type.String({ examples: ['2026-11-15T08:30:00+0000'] }),
};
const secret = Type.String({
  description: 'Verifies decision requests. Shown only once.',
  examples: ['whsec_…'],
});

export const DecisionEndpointView = Type.Object(endpointFields, { title: 'DecisionEndpoint' });
export const NewDecisionEndpoint = Type.Object(
  { ...endpointFields, secret },
  { title: 'NewDecisionEndpoint' },
);
export const ReplacedDecisionEndpoint = Type.Object(
  {
    ...endpointFields,
    secret: Type.Optional(
      Type.String({
        description:
          'Only if the URL is now on another host or port: the new secret, shown only once. The previous secret signs no more requests.',
        examples: ['whsec_…'],
      }),
    ),
  },
  { title: 'ReplacedDecisionEndpoint' },
);
export const RotatedDecisionEndpoint = Type.Object(
  {
    ...endpointFields,
    secret,
    previousSignsUntil: Type.String({
      description: 'Decision requests are signed with both secrets until this time.',
    }),
  },
  { title: 'RotatedDecisionEndpoint' },
);

export const TestBody = Type.Object(
  {
    eventName: Type.Optional(
      Type.Enum(
        REQUEST_KINDS.map((kind) => requestName(kind)),
        {
          description:
            'The request to send. Default: that of the kind, such as `authorization.request`. For `authorization`, `balance.request` is possible too.',
        },
      ),
    ),
  },
  { title: 'DecisionTestRequest', [OPTIONAL_BODY]: true },
);

export const TestAnswer = Type.Object(
  {
    outcome: Type.Enum(REQUEST_OUTCOMES.filter((outcome) => outcome !== 'paused')),
    eventId: Type.String(),
    statusCode: nullable(Type.Integer()),
    error: nullable(Type.String(), 'Why there is no usable decision: the field and the rule that it breaks.'),
    answerStart: nullable(
      Type.String(),
      'The first 2 kB of a response that cannot be used, without card numbers. Null: there is none, or its address is not shown.',
    ),
    durationMs: Type.Integer(),
  },
  { title: 'DecisionTest' },
);

const amount = (description: string) => Type.String({ description, examples: ['12.50'] });

const card = {
  card_id: Type.String(),
  external_customer_id: Type.String({ description: '`meta.id` of the card.' }),
  card_metadata: metadataOf('card'),
};
const channel = nullable(Type.Enum(['ECOMMERCE', 'POS', 'ATM', 'MOTO']));
const merchant = nullable(
  Type.Object(
    {
      id: Type.String(),
      name: nullable(Type.String()),
      mcc: Type.String({ description: 'Merchant category code of 4 digits.' }),
      city: nullable(Type.String()),
      country: nullable(Type.String(), 'ISO 3166-1 alpha-3; null if unknown.'),
    },
    { title: 'AuthorizationDecisionMerchant' },
  ),
);
const authentication = nullable(
  Type.Object(
    {
      authentication_id: nullable(Type.String(), 'Null if the network gave an ECI.'),
      eci: nullable(Type.String(), 'Electronic commerce indicator of two digits.'),
      authenticated: Type.Boolean({ description: 'Whether the authentication counts for the purchase.' }),
    },
    { title: 'AuthorizationDecisionAuthentication' },
  ),
  'How the cardholder was authenticated; null if the authorization says nothing of it.',
);
/** The fields of `MessageData`, which belongs to a folder of the same floor. */
const network = nullable(
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  'What the network said beside it, such as `entry_mode` and `initiator`: the fields of `MessageData`. Null: nothing.',
);
/** The fields of `MatchedRule`, which belongs to a folder of the same floor. */
const rules = Type.Array(
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  { description: 'The rules that matched it: the fields of `MatchedRule`.' },
);
const timeout_ms = Type.Integer({ description: 'The time limit of the decision endpoint.' });

/** The data of a request for the decision on an authorization. */
export const AuthorizationRequestData = Type.Object(
  {
    external_transaction_id: Type.String(),
    increment_id: Type.Optional(Type.String({ description: 'Only of a request to raise a hold.' })),
    ...card,
    type: Type.Enum(['PURCHASE', 'CASH']),
    amount: amount("In the merchant's currency."),
    currency: Type.String({ examples: ['EUR'] }),
    bill_amount: amount("In the card's currency, without fees. The most that can be approved."),
    bill_currency: Type.String({ examples: ['EUR'] }),
    fx_fee: amount("In the card's currency."),
    atm_fee: amount("In the card's currency."),
    hold_amount: amount('What an approval holds: `bill_amount` and the fees.'),
    channel,
    merchant,
    partial_approval_allowed: Type.Boolean({
      description: 'Whether `approved_amount` can be less than `bill_amount`.',
    }),
    authentication,
    network,
    rules,
    available_credit: amount('Of the card, in its currency, before this authorization.'),
    timeout_ms,
  },
  { title: 'AuthorizationDecisionData' },
);

/** The data of a request for the balance that an inquiry shows. */
export const BalanceRequestData = Type.Object(
  {
    external_transaction_id: Type.String(),
    ...card,
    type: Type.Literal('BALANCE_INQUIRY'),
    bill_currency: Type.String({
      description: "The card's currency, in which the answer is.",
      examples: ['EUR'],
    }),
    channel,
    merchant,
    authentication,
    network,
    rules,
    available_credit: amount('Of the card, in its currency, as Emboss has it.'),
    timeout_ms,
  },
  { title: 'BalanceDecisionData' },
);

/** What a merchant responds to an authorization. `read-response.ts` reads it. */
export const DecisionAnswer = Type.Object(
  {
    decision: Type.Enum(['APPROVE', 'DECLINE']),
    approved_amount: Type.Optional(
      Type.String({
        description:
          'With `APPROVE`: a decimal amount in `bill_currency`, more than 0 and at most `bill_amount`; less only if `partial_approval_allowed`. Default: the whole amount.',
        examples: ['12.50'],
      }),
    ),
    reason: Type.Optional(
      nullable(
        Type.String({ maxLength: 100 }),
        '`insufficient_funds`, `limit_exceeded`, `merchant_not_allowed` and `suspected_fraud` set the code that the network receives. Any other text is recorded.',
      ),
    ),
    reference: Type.Optional(nullable(Type.String({ maxLength: 64 }), 'Your id of the decision.')),
    metadata: Type.Optional(
      nullable(
        Type.Object({}, { additionalProperties: { type: 'string', maxLength: 100 }, maxProperties: 10 }),
        'Up to 10 pairs of texts, each at most 100 characters. Recorded with the transaction.',
      ),
    ),
  },
  { title: 'DecisionAnswer' },
);

/** What a merchant responds to a balance inquiry. */
export const BalanceAnswer = Type.Object(
  {
    available_amount: Type.String({
      description:
        'What the cardholder can spend: a decimal amount in `bill_currency`, with at most the decimals of that currency. Can be below zero.',
      examples: ['250.00'],
    }),
  },
  { title: 'BalanceAnswer' },
);
