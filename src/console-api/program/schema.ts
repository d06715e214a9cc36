import { Type } from 'typebox';
import { nullable, refusal } from '../../http/schemas.ts';
import { ALLOWABLE_EXEMPTIONS } from '../../programs/program.ts';
import { before, decimal, next, nullableText, text, timestamp } from '../console-schema.ts';
import { ACTOR_KINDS } from '../history/entry.ts';

/** Of the routes that require the operator's password. */
export const TOO_MANY_WRONG = refusal(
  429,
  'The account is locked',
  'Too many wrong passwords or codes; try again in 30 minutes',
);

const rate = (description: string) =>
  Type.Integer({ description: `${description} In basis points.`, examples: [150] });

export const Terms = Type.Object(
  {
    name: text,
    mode: Type.Enum(['sandbox', 'live']),
    currency: text,
    bin: text,
    kycProvider: text,
    enforceMasterBalance: Type.Boolean({
      description: 'Authorizations that the master account cannot cover are declined.',
    }),
    holdDays: Type.Integer({ description: 'Days after which a hold that was not cleared is released.' }),
    longHoldDays: Type.Integer({ description: 'The same for lodging and vehicle rental.' }),
    challengeAbove: nullable(
      decimal('3-D Secure challenges payments above this amount. Null: it challenges every payment.'),
    ),
    requireAuthenticationAbove: nullable(
      decimal('Online purchases above this amount need an authentication. Null: none needs one.'),
    ),
    secondPersonAbove: nullable(
      decimal('Money that an operator moves above this amount needs a second operator. Null: none does.'),
    ),
    authenticationDays: Type.Integer({
      description: 'An authentication counts for purchases within this number of days.',
    }),
    overHoldPercent: Type.Integer({
      description: 'A clearing above what was approved for it by more than this percentage is flagged.',
    }),
    rulesGuardPercent: Type.Integer({
      description:
        "A rule that would have declined more than this percentage of a week's approvals is promoted only with a confirmation.",
    }),
    allowedExemptions: Type.Array(Type.Enum([...ALLOWABLE_EXEMPTIONS]), {
      description: 'Online purchases with one of these exemptions need no authentication.',
    }),
    fees: Type.Object(
      {
        fxFeeBps: rate('Charged to the cardholder for a purchase in another currency.'),
        interchangeBps: rate('Earned on each clearing of a purchase.'),
        cashInterchangeBps: rate('Earned on each clearing of cash; negative: paid.'),
        transactionCostBps: rate('Paid for each clearing.'),
        atmFee: decimal('Charged to the cardholder for an ATM withdrawal.'),
        transactionCost: decimal('Paid for each clearing.'),
        virtualIssuanceFee: decimal('Paid for each virtual card.'),
        physicalIssuanceFee: decimal('Paid for each physical card.'),
        maintenanceFee: decimal('Paid per month and card.'),
      },
      { title: 'FeeSchedule' },
    ),
  },
  { title: 'ProgramTerms' },
);

export const FundingQuery = Type.Object({ before });

export const FundingPage = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          id: text,
          amount: decimal('Negative for a withdrawal.'),
          available: decimal('Available for new purchases after it.'),
          reference: nullableText,
          actor: Type.Object({ kind: Type.Enum([...ACTOR_KINDS]), name: text }),
          created: timestamp(),
        },
        { title: 'Funding' },
      ),
    ),
    next,
  },
  { title: 'FundingPage' },
);
