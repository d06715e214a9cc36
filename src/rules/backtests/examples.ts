import { EXAMPLE_LEAVES, EXAMPLE_MATCH, EXAMPLE_RULE_BODY, EXAMPLE_RULE_VIEW } from '../examples.ts';

export const EXAMPLE_SPAN = { from: '2026-10-01', to: '2026-10-31', mode: 'OBSERVED' };

export const EXAMPLE_BACKTEST_BODY = { rule: EXAMPLE_RULE_BODY, ...EXAMPLE_SPAN };

export const EXAMPLE_BACKTEST = {
  id: '019a85f4-11b0-7012-9f3e-5a1c2b3d4e5f',
  ruleId: EXAMPLE_RULE_VIEW.id,
  mode: 'OBSERVED',
  from: EXAMPLE_SPAN.from,
  to: EXAMPLE_SPAN.to,
  status: 'COMPLETED',
  progress: 100,
  evaluated: 18_250,
  approved: 17_604,
  notEvaluated: { count: 112, why: { declinedBefore: 112, appliesToOthers: 0, purchaseDeclined: 0 } },
  matched: 61,
  approvedThatWouldBeDeclined: { count: 58, amount: '4912.50' },
  alreadyDeclined: 3,
  byDay: [{ day: '2026-10-01', evaluated: 590, matched: 2, amount: '160.00' }],
  currency: 'EUR',
  approximate: false,
  createdAt: '2026-11-15T09:00:00+0000',
  completedAt: '2026-11-15T09:00:04+0000',
};

export const EXAMPLE_QUEUED = {
  ...EXAMPLE_BACKTEST,
  ...{
    status: 'QUEUED',
    progress: 0,
    completedAt: null,
    evaluated: 0,
    approved: 0,
    matched: 0,
    alreadyDeclined: 0,
    byDay: [],
  },
  notEvaluated: { count: 0, why: { declinedBefore: 0, appliesToOthers: 0, purchaseDeclined: 0 } },
  approvedThatWouldBeDeclined: { count: 0, amount: '0.00' },
};

export const EXAMPLE_BACKTEST_MATCH = { ...EXAMPLE_MATCH, values: EXAMPLE_LEAVES };
