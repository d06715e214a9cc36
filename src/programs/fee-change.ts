import { invalid } from '../kernel/error.ts';
import { formatAmount, readAmount } from '../kernel/money.ts';
import type { FeeSchedule, Program } from './program.ts';

/** Fees in basis points. */
export const FEE_RATES = ['fxFeeBps', 'interchangeBps', 'cashInterchangeBps', 'transactionCostBps'] as const;

/** Fees that are amounts, without the unit of their fields in the program. */
export const FEE_AMOUNTS = [
  'atmFee',
  'transactionCost',
  'virtualIssuanceFee',
  'physicalIssuanceFee',
  'maintenanceFee',
] as const;

/** Some fees, as a request gives them: amounts are numbers in the program's currency. */
export type GivenFees = Partial<Record<(typeof FEE_RATES)[number] | (typeof FEE_AMOUNTS)[number], number>>;

/** The fees now: rates in basis points, amounts as decimal text. */
export const currentFees = (program: Program): Record<string, string> =>
  Object.fromEntries([
    ...FEE_RATES.map((field) => [field, String(program[field])]),
    ...FEE_AMOUNTS.map((field) => [field, formatAmount(program[`${field}Minor`], program.currency)]),
  ]);

export function readFees(given: GivenFees, currency: string): Partial<FeeSchedule> {
  const change: Record<string, number | bigint> = {};
  for (const field of FEE_RATES) {
    const rate = given[field];
    if (rate !== undefined) change[field] = rate;
  }
  for (const field of FEE_AMOUNTS) {
    const amount = given[field];
    if (amount !== undefined) change[`${field}Minor`] = readAmount(field, amount, currency);
  }
  if (Object.keys(change).length === 0) throw invalid('body', 'must name a fee to change');
  return change;
}
