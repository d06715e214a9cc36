import { Type } from 'typebox';
import type { Filter } from '../lists/filters.ts';
import { withAction, withStatus } from './filter-queries.ts';
import { RULE_ACTIONS } from './judge-rules.ts';
import { RULE_STATUSES } from './rule.ts';

/** A program has few rules: these narrow what the list reads. */
export const RULE_FILTERS = {
  status: { schema: Type.Optional(Type.Enum([...RULE_STATUSES])), index: null, read: withStatus },
  action: { schema: Type.Optional(Type.Enum([...RULE_ACTIONS])), index: null, read: withAction },
} satisfies Record<string, Filter<unknown>>;
