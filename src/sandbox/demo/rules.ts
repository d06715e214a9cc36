import { countApprovals } from '../../authorizations/totals/count-approvals.ts';
import { findCustomerIds } from '../../cards/customers/find-known.ts';
import { findCardIds } from '../../cards/queries.ts';
import { promoteRule } from '../../rules/change-rule.ts';
import { createRule } from '../../rules/create-rule.ts';
import type { RuleBody } from '../../rules/schema.ts';
import type { Planned, Stage } from './plan.ts';

const HOUR_MS = 3_600_000;
const RULES_DAYS_MS = 45 * 24 * HOUR_MS;

/** It decides. */
const ACTIVE: RuleBody = {
  name: 'No cash above 100',
  appliesTo: 'PROGRAM',
  when: {
    all: [
      { field: 'mcc', op: 'inList', value: 'mcc:cash' },
      { field: 'billAmount', op: 'gt', value: '100' },
    ],
  },
  action: 'DECLINE',
  reason: 'LIMIT',
};

/** It shows what it would decline. */
const SHADOW: RuleBody = {
  name: 'Online purchases abroad above 60',
  appliesTo: 'PROGRAM',
  when: {
    all: [
      { field: 'channel', op: 'eq', value: 'ECOMMERCE' },
      { field: 'foreign', op: 'eq', value: true },
      { field: 'billAmount', op: 'gt', value: '60' },
    ],
  },
  action: 'DECLINE',
  reason: 'SUSPECTED_FRAUD',
};

/** Two rules over the last weeks of the history: one in SHADOW, one ACTIVE. */
export function planRules({ startMs, endMs }: { startMs: number; endMs: number }): Planned[] {
  const atMs = Math.max(startMs + HOUR_MS, endMs - RULES_DAYS_MS);
  const at = (afterMs: number, perform: (stage: Stage) => Promise<unknown>): Planned => ({
    ...{ kind: 'operation', lane: -1, atMs: atMs + afterMs },
    perform: (stage) => stage.limit(() => perform(stage)),
  });
  return [
    at(0, (stage) => create(stage, SHADOW)),
    at(1, async (stage) => {
      const { id } = await create(stage, ACTIVE);
      await promoteRule({ ...stage, keeper: stage.vault, countApprovals }, stage.actor, id, true);
    }),
  ];
}

function create(stage: Stage, body: RuleBody) {
  const { db, vault, actor, count } = stage;
  count('rule');
  const subjects = {
    findCardIds,
    findCustomerIds: (...from: OfCustomers) => findCustomerIds(vault, ...from),
  };
  return createRule({ db, keeper: vault, subjects }, actor, body, async () => {});
}
type OfCustomers = Parameters<typeof findCustomerIds> extends [unknown, ...infer Rest] ? Rest : never;
