export const EXAMPLE_WHEN = {
  all: [
    { field: 'mcc', op: 'inList', value: 'mcc:gambling' },
    { field: 'billAmount', op: 'gt', value: '50.00' },
  ],
};

export const EXAMPLE_RULE_BODY = {
  name: 'No gambling above 50',
  appliesTo: 'PROGRAM',
  when: EXAMPLE_WHEN,
  action: 'DECLINE',
  reason: 'NOT_PERMITTED',
};

export const EXAMPLE_RULE_VIEW = {
  id: '019a85f2-7c1e-7010-9f3e-5a1c2b3d4e5f',
  name: EXAMPLE_RULE_BODY.name,
  status: 'SHADOW',
  action: 'DECLINE',
  reason: 'NOT_PERMITTED',
  priority: 0,
  replaces: null,
  createdAt: '2026-11-15T08:30:00+0000',
  shadowSince: '2026-11-15T08:30:00+0000',
  activeSince: null,
  archivedAt: null,
};

export const EXAMPLE_RULE = { ...EXAMPLE_RULE_VIEW, appliesTo: 'PROGRAM', when: EXAMPLE_WHEN };

export const EXAMPLE_LEAVES = [
  { path: 'when.all[0]', value: '7995', result: true },
  { path: 'when.all[1]', value: '80.00', result: true },
];

export const EXAMPLE_MATCH = {
  id: '019a85f3-0a51-7011-9f3e-5a1c2b3d4e5f',
  transactionId: '019a85f3-0a51-7008-9f3e-5a1c2b3d4e5f',
  cardId: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  status: 'SHADOW',
  effect: 'WOULD_DECLINE',
  approved: true,
  amount: '80.00',
  currency: 'EUR',
  values: EXAMPLE_LEAVES,
  createdAt: '2026-11-15T09:00:00+0000',
};

export const EXAMPLE_LIST = {
  name: 'blocked-merchants',
  type: 'merchant',
  size: 2,
  readOnly: false,
  createdAt: '2026-11-15T08:30:00+0000',
  updatedAt: '2026-11-15T08:30:00+0000',
};
