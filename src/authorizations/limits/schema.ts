import { Type } from 'typebox';
import { EXAMPLE_USAGE } from '../../cards/examples.ts';
import { SpendControls, Usage, UsageBody } from '../../cards/schema.ts';
import { nullable } from '../../http/schemas.ts';

const use = nullable(
  Type.Object(
    {
      limit: Type.Number({ description: 'The limit in force; a temporary limit is included.' }),
      used: Type.Number({ description: 'What counts in it: amounts that are held and that have cleared.' }),
      remaining: Type.Number({
        description: '`limit` less `used`: below zero after a clearing above its hold.',
      }),
      resetsAt: nullable(Type.String(), 'When it starts again, in program time; null: never.'),
    },
    { title: 'SpendLimitUse' },
  ),
  'Null: there is no such limit.',
);

/** The names are those of the PUT of the same path. */
export const SpendControlsUse = Type.Object(
  {
    ...SpendControls.properties,
    transactionLimit: nullable(
      Type.Number(),
      'The limit of one authorization in force; a temporary limit is included. Null: there is no such limit.',
    ),
    dailyLimit: use,
    monthlyLimit: use,
    allTimeLimit: use,
    usage: Usage,
  },
  { title: 'SpendControlsUse' },
);

export const UsageRequest = Type.Object(
  { usage: UsageBody },
  { title: 'SetCardUsageRequest', examples: [{ usage: EXAMPLE_USAGE }] },
);
export const UsageAnswer = Type.Object({ usage: Usage }, { title: 'SetCardUsageResponse' });
