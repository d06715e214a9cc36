import { formatAmount } from '../../kernel/money.ts';
import type { Program } from '../../programs/program.ts';

/** The terms of a program. */
export function readTerms(program: Program) {
  const { name, mode, currency, bin, kycProvider, enforceMasterBalance, holdDays, longHoldDays } = program;
  const { authenticationDays, overHoldPercent, rulesGuardPercent, allowedExemptions } = program;
  const { fxFeeBps, interchangeBps, cashInterchangeBps, transactionCostBps } = program;
  const amount = (minor: bigint) => formatAmount(minor, currency);
  const threshold = (minor: bigint | null) => (minor === null ? null : amount(minor));
  return {
    ...{ name, mode, currency, bin, kycProvider, enforceMasterBalance, holdDays, longHoldDays },
    challengeAbove: threshold(program.challengeAboveMinor),
    requireAuthenticationAbove: threshold(program.requireAuthenticationAboveMinor),
    secondPersonAbove: threshold(program.secondPersonAboveMinor),
    authenticationDays,
    overHoldPercent,
    rulesGuardPercent,
    allowedExemptions,
    fees: {
      ...{ fxFeeBps, interchangeBps, cashInterchangeBps, transactionCostBps },
      atmFee: amount(program.atmFeeMinor),
      transactionCost: amount(program.transactionCostMinor),
      virtualIssuanceFee: amount(program.virtualIssuanceFeeMinor),
      physicalIssuanceFee: amount(program.physicalIssuanceFeeMinor),
      maintenanceFee: amount(program.maintenanceFeeMinor),
    },
  };
}
