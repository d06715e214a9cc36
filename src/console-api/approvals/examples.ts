export const EXAMPLE_REQUESTED = {
  approvalId: '019a85f3-0a51-7004-9f3e-5a1c2b3d4e5f',
  expires: '2026-11-18T08:30:00+0000',
};

export const EXAMPLE_APPROVAL = {
  id: EXAMPLE_REQUESTED.approvalId,
  kind: 'adjustment',
  status: 'PENDING',
  cardId: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  lastFour: '4242',
  amount: '1200.00',
  facts: [{ field: 'reference', before: null, value: 'Goodwill 4711' }],
  requestedBy: { id: '019a85f0-1b2c-7002-9f3e-5a1c2b3d4e5f', name: 'Grace Hopper' },
  requested: '2026-11-15T08:30:00+0000',
  expires: EXAMPLE_REQUESTED.expires,
  decidedBy: null,
  decided: null,
  reason: null,
  mayDecide: true,
  mayWithdraw: false,
};
