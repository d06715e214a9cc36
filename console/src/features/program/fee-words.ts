import type { ProgramTerms } from '../../lib/api-types.gen.ts';

export type Fee = keyof ProgramTerms['fees'];

/** Rates are shown in percent and sent in basis points. */
export const FEES: ReadonlyArray<[fee: Fee, label: string, description: string]> = [
  ['fxFeeBps', 'FX fee', 'Charged to the cardholder in another currency'],
  ['atmFee', 'ATM fee', 'Charged to the cardholder for a cash withdrawal'],
  ['interchangeBps', 'Interchange', 'Earned on each clearing of a purchase'],
  ['cashInterchangeBps', 'Cash interchange', 'The same for cash; negative: paid'],
  ['transactionCost', 'Cost per clearing, fixed', 'Paid for each clearing'],
  ['transactionCostBps', 'Cost per clearing, rate', 'Paid on the amount of each clearing'],
  ['virtualIssuanceFee', 'Virtual card issuance', 'Paid for each card'],
  ['physicalIssuanceFee', 'Physical card issuance', 'Paid for each card'],
  ['maintenanceFee', 'Card maintenance', 'Paid per card and month'],
];

export const isRate = (fee: Fee): boolean => fee.endsWith('Bps');
