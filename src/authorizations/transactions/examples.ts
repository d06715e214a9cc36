export const EXAMPLE_MERCHANT = {
  id: 'm-1001',
  name: 'Corner Coffee',
  mcc: '5814',
  city: 'London',
  country: 'GB',
};

export const EXAMPLE_TRANSACTION = {
  id: '019a85f3-0a51-7003-9f3e-5a1c2b3d4e5f',
  external_transaction_id: 'net-20261115-000042',
  card_id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  bill_amount: 12.5,
  bill_currency: 'EUR',
  cardholder_name: 'Ada Lovelace',
  amount: '12.50',
  currency: 'EUR',
  status: 'PENDING',
  created: '2026-11-15T08:32:00+0000',
};
