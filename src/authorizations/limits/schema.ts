import { Type } from 'typebox';
import { nullable } from '../../http/schemas.ts';

const use = nullable(
  Type.Object(
    {
      limit: Type.Number({ description: 'The limit in force; a temporary limit is included.' }),
      used: Type.Number({ description: 'What counts in it: amounts that are held and that have cleared.' }),
      remaining: Type.Number({ description: 'Below zero after a clearing above its hold.' }),
      resetsAt: nullable(Type.String(), 'When it starts again, in program time; null: never.'),
    },
    { title: 'SpendLimitUse' },
  ),
  'Null: there is no such limit.',
);

export const LimitUses = Type.Object(
  { dailyLimit: use, monthlyLimit: use, allTimeLimit: use },
  { title: 'LimitUses' },
);
