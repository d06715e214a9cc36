import { Type } from 'typebox';
import { nullable } from '../http/schemas.ts';
import { LIST_TYPES } from './language/fields.ts';
import { MOST_VALUES } from './value-list.ts';

const values = Type.Array(Type.String(), {
  maxItems: MOST_VALUES,
  description: `At most ${MOST_VALUES.toLocaleString('en')}. Countries in any form of ISO 3166-1.`,
  examples: [['M-1001', 'M-1002']],
});
const type = Type.Enum([...LIST_TYPES]);

export const ListBody = Type.Object(
  { type, values },
  { title: 'RuleListRequest', examples: [{ type: 'merchant', values: ['M-1001', 'M-1002'] }] },
);

export const ValuesBody = Type.Object(
  { values },
  { title: 'RuleListValuesRequest', examples: [{ values: ['M-1003'] }] },
);

export const ListPath = Type.Object({
  listName: Type.String({
    description: 'Name of the list: 1 to 64 of `a-z 0-9 . - _`. Names with a colon are of shipped lists.',
  }),
});

const nullableTime = nullable(Type.String(), 'Null for a list that is shipped.');
const summary = {
  name: Type.String(),
  type,
  size: Type.Integer(),
  readOnly: Type.Boolean({ description: 'Shipped with Emboss.' }),
  createdAt: nullableTime,
  updatedAt: nullableTime,
};

export const RuleList = Type.Object(summary, { title: 'RuleList' });
export const RuleListWithValues = Type.Object(
  { ...summary, values: Type.Array(Type.String()) },
  { title: 'RuleListWithValues' },
);
export const RuleLists = Type.Object({ ruleLists: Type.Array(RuleList) }, { title: 'RuleLists' });
/** The data of an event. */
export const RuleListEventData = Type.Object(
  { ...summary, createdAt: Type.String(), updatedAt: Type.String() },
  { title: 'RuleListEventData' },
);
