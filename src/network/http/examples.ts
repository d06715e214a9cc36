import { EXAMPLE_TRANSACTION } from '../../authorizations/transactions/examples.ts';

const { id: transaction_id, external_transaction_id } = EXAMPLE_TRANSACTION;
const IDS = { transaction_id, external_transaction_id };

export const EXAMPLE_APPROVAL = {
  ...IDS,
  approved: true,
  status: 'PENDING',
  decline_code: null,
  decline_reason: null,
  network_code: '00',
  approval_code: '482913',
  amount: '12.50',
  currency: 'EUR',
  bill_amount: '12.50',
  bill_currency: 'EUR',
};

export const EXAMPLE_INCREMENT = { increment_id: 'inc-000042', ...EXAMPLE_APPROVAL };

const settled = { ...IDS, bill_amount: '12.50', bill_currency: 'EUR' };
export const EXAMPLE_REVERSAL = { reversal_id: 'rev-000042', ...settled, status: 'VOID' };
export const EXAMPLE_CLEARING = { clearing_id: 'clr-000042', ...settled, status: 'CLEARED' };
export const EXAMPLE_REFUND = {
  refund_id: 'ref-000042',
  ...settled,
  parent_transaction_id: transaction_id,
  status: 'CLEARED',
};
