import { Type } from 'typebox';
import { TemporaryLimitsBody } from '../../cards/schema.ts';
import { nullable } from '../../http/schemas.ts';

const bound = nullable(Type.Number({ minimum: 0, examples: [1000] }));

export const SupportLimits = Type.Object(
  { transactionLimit: bound, dailyLimit: bound, monthlyLimit: bound },
  {
    title: 'SupportLimits',
    description:
      "The highest temporary limits that operators with the role support may set on a card, in the program's currency. Null: support may not raise this limit.",
  },
);

export const TemporaryLimitsChange = Type.Object(
  { temporaryLimits: TemporaryLimitsBody },
  { title: 'TemporaryLimitsChange' },
);
