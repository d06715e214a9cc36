import type { Static } from 'typebox';
import type { TemporaryLimitsBody } from '../../cards/schema.ts';
import { TEMPORARY_LIMITS } from '../../cards/temporary-limits.ts';
import { invalid } from '../../kernel/error.ts';
import { amountToNumber, formatAmount, readAmount } from '../../kernel/money.ts';
import type { Program, SupportLimits as SupportLimitFields } from '../../programs/program.ts';
import type { SupportLimits } from './schema.ts';

const FIELDS = {
  transactionLimit: 'supportTransactionLimitMinor',
  dailyLimit: 'supportDailyLimitMinor',
  monthlyLimit: 'supportMonthlyLimitMinor',
} as const;

export function presentBounds(program: Program): Static<typeof SupportLimits> {
  const amount = (name: keyof typeof FIELDS) => {
    const minor = program[FIELDS[name]];
    return minor === null ? null : amountToNumber(minor, program.currency);
  };
  return {
    transactionLimit: amount('transactionLimit'),
    dailyLimit: amount('dailyLimit'),
    monthlyLimit: amount('monthlyLimit'),
  };
}

export function readBounds(body: Static<typeof SupportLimits>, currency: string): SupportLimitFields {
  const minor = (name: keyof typeof FIELDS) => {
    const amount = body[name];
    return amount === null ? null : readAmount(name, amount, currency);
  };
  return {
    supportTransactionLimitMinor: minor('transactionLimit'),
    supportDailyLimitMinor: minor('dailyLimit'),
    supportMonthlyLimitMinor: minor('monthlyLimit'),
  };
}

/** Refuses amounts above the program's bounds. Ending a temporary limit is always allowed. */
export function requireWithin(program: Program, body: Static<typeof TemporaryLimitsBody>): void {
  const { currency } = program;
  for (const name of TEMPORARY_LIMITS) {
    const given = body[name];
    if (!given) continue;
    const field = `temporaryLimits.${name}.amount`;
    const mostMinor = program[FIELDS[name]];
    if (mostMinor === null) throw invalid(field, 'your role may not raise this limit; ask a manager');
    if (readAmount(field, given.amount, currency) > mostMinor) {
      const most = formatAmount(mostMinor, currency);
      throw invalid(field, `must be at most ${most} for your role; ask a manager`);
    }
  }
}
