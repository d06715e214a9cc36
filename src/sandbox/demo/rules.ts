import { finishBacktest } from '../../authorizations/backtests/finish-backtest.ts';
import { ruleVelocities } from '../../authorizations/engine/fill-velocities.ts';
import { countApprovals } from '../../authorizations/totals/count-approvals.ts';
import { knownIds } from '../../cards/customers/find-known.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { MOST_DAYS } from '../../rules/backtests/backtest.ts';
import { backtestRule } from '../../rules/backtests/create-backtest.ts';
import { promoteRule } from '../../rules/change-rule.ts';
import { createRule } from '../../rules/create-rule.ts';
import type { RuleBody } from '../../rules/schema.ts';
import { DAY_MS, type Planned, type Stage } from './plan.ts';

const HOUR_MS = 3_600_000;
const RULES_DAYS_MS = 45 * DAY_MS;
const storeNothing = async () => {};

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

/** It counts, and is backtested. */
const COUNTING: RuleBody = {
  name: 'More than 250 in a day',
  appliesTo: 'PROGRAM',
  when: {
    velocity: { measure: 'AMOUNT', per: 'CUSTOMER', window: { calendar: 'DAY' } },
    op: 'gt',
    value: '250',
  },
  action: 'DECLINE',
  reason: 'LIMIT',
};

/** Three rules over the last weeks of the history: two in SHADOW, one ACTIVE. */
export function planRules({ startMs, endMs }: { startMs: number; endMs: number }) {
  const atMs = Math.max(startMs + HOUR_MS, endMs - RULES_DAYS_MS);
  const at = (afterMs: number, perform: (stage: Stage) => Promise<unknown>): Planned => ({
    ...{ kind: 'operation', lane: -1, atMs: atMs + afterMs },
    perform: (stage) => stage.limit(() => perform(stage)),
  });
  let counting: { id: string };
  const planned = [
    at(0, (stage) => create(stage, SHADOW)),
    at(1, async (stage) => {
      const { id } = await create(stage, ACTIVE);
      await promoteRule({ ...stage, keeper: stage.vault, countApprovals }, stage.actor, id, true);
    }),
    at(2, async (stage) => {
      counting = await create(stage, COUNTING);
      await fillVelocities(stage);
    }),
  ];
  /** What the rule that counts would have done in the whole history. */
  const backtest = async (stage: Stage) => {
    const services = servicesOf(stage);
    const nowMs = stage.actor.now();
    const from = dayOf(Math.max(startMs, nowMs - (MOST_DAYS - 1) * DAY_MS));
    const span = { from, to: dayOf(nowMs), mode: 'OBSERVED' } as const;
    const { id } = await backtestRule(services, stage.actor, counting.id, span, storeNothing);
    await finishBacktest(services, stage.actor, id);
  };
  return { planned, backtest };
}

/** A server that runs meanwhile may do it first. */
async function fillVelocities(stage: Stage): Promise<void> {
  const job = ruleVelocities(stage);
  const turn = { deadline: Number.POSITIVE_INFINITY, isStopping: () => false };
  for (const due of await job.findDue(stage.actor.program.id)) await job.work(due, turn);
}

const servicesOf = ({ db, vault, customers }: Stage) => ({
  ...{ db, keeper: vault, customers, subjects: knownIds(vault) },
});

function create(stage: Stage, body: RuleBody) {
  stage.count('rule');
  return createRule(servicesOf(stage), stage.actor, body, storeNothing);
}
