export const EXAMPLE_MERCHANT = {
  id: 'm-1001',
  name: 'Corner Coffee',
  mcc: '5814',
  city: 'London',
  country: 'GB',
};

const IDS = {
  transaction_id: '019a85f3-0a51-7003-9f3e-5a1c2b3d4e5f',
  external_transaction_id: 'net-20261115-000042',
};

export const EXAMPLE_APPROVAL = {
  ...IDS,
  approved: true,
  status: 'PENDING',
  decline_code: null,
  decline_reason: null,
  network_code: '00',
  approval_code: '482913',
  bill_amount: '12.50',
  bill_currency: 'EUR',
};

const settled = { ...IDS, bill_amount: '12.50', bill_currency: 'EUR' };
export const EXAMPLE_REVERSAL = { reversal_id: 'rev-000042', ...settled, status: 'VOID' };
export const EXAMPLE_CLEARING = { clearing_id: 'clr-000042', ...settled, status: 'CLEARED' };
export const EXAMPLE_REFUND = {
  refund_id: 'ref-000042',
  ...settled,
  parent_transaction_id: IDS.transaction_id,
  status: 'CLEARED',
};

export const EXAMPLE_TRANSACTION = {
  id: IDS.transaction_id,
  external_transaction_id: IDS.external_transaction_id,
  card_id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  bill_amount: 12.5,
  bill_currency: 'EUR',
  cardholder_name: 'Ada Lovelace',
  amount: '12.50',
  currency: 'EUR',
  status: 'PENDING',
  created: '2026-11-15T08:32:00+0000',
};
