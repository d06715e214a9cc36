import { type Command, Option } from 'commander';
import {
  ALLOWABLE_EXEMPTIONS,
  AUTHORIZATION_MODES,
  type Exemption,
  type Program,
  type SecondPerson,
  TERM_RANGES,
  type Thresholds,
} from '../programs/program.ts';
import type { ProgramChange } from '../programs/update-program.ts';
import { addThresholdOptions, type GivenThresholds, readThresholds } from './program-thresholds.ts';
import { amountIn, decimalText, exemptionList, trueOrFalse, wholeNumberFrom } from './values.ts';

/** Rates of a program: option, field, name in the output, description. */
export const RATES = [
  ['--fx-fee-bps', 'fxFeeBps', 'FX fee', 'charged to the cardholder for a purchase in another currency'],
  [
    '--interchange-bps',
    'interchangeBps',
    'interchange',
    'earned on the amount of each clearing of a purchase',
  ],
  ['--cash-interchange-bps', 'cashInterchangeBps', 'cash interchange', 'the same for cash; negative: paid'],
  ['--transaction-cost-bps', 'transactionCostBps', 'transaction cost', 'paid on the amount of each clearing'],
] as const;

export const AMOUNTS = [
  ['--atm-fee', 'atmFee', 'ATM fee', 'charged to the cardholder for an ATM withdrawal'],
  ['--transaction-cost', 'transactionCost', 'cost per clearing', 'paid for each clearing'],
  ['--virtual-issuance-fee', 'virtualIssuanceFee', 'virtual card', 'paid for each virtual card'],
  ['--physical-issuance-fee', 'physicalIssuanceFee', 'physical card', 'paid for each physical card'],
  [
    '--maintenance-fee',
    'maintenanceFee',
    'maintenance',
    'paid on the first of each month for each card that is neither blocked nor expired',
  ],
] as const;

type AmountName = (typeof AMOUNTS)[number][1];

/** Options as commander returns them: amounts are still text. */
export type GivenTerms = Omit<
  ProgramChange,
  `${AmountName}Minor` | keyof Thresholds | keyof SecondPerson | 'allowedExemptions'
> &
  Partial<Record<AmountName, string>> &
  GivenThresholds & { allowExemptions?: Exemption[] };

export function addTermOptions(command: Command): Command {
  for (const [flag, field, , what] of RATES)
    command.option(`${flag} <points>`, `${what}, in basis points`, wholeNumberFrom(TERM_RANGES[field]));
  for (const [flag, , , what] of AMOUNTS)
    command.option(`${flag} <amount>`, `${what}, such as 1.50`, decimalText);
  addThresholdOptions(command);
  return command
    .option(
      '--enforce-master-balance <true or false>',
      'decline purchases that the master account does not cover',
      trueOrFalse,
    )
    .addOption(
      new Option(
        '--authorization-mode <mode>',
        'who decides authorizations: Emboss, the decision endpoint, or both',
      ).choices(AUTHORIZATION_MODES),
    )
    .option(
      '--hold-days <days>',
      'release a hold that is not cleared after this number of days',
      wholeNumberFrom(TERM_RANGES.holdDays),
    )
    .option(
      '--long-hold-days <days>',
      'the same for lodging and vehicle rental',
      wholeNumberFrom(TERM_RANGES.longHoldDays),
    )
    .option(
      '--authentication-days <days>',
      'an authentication counts for purchases within this number of days, 1 to 90',
      wholeNumberFrom(TERM_RANGES.authenticationDays),
    )
    .option(
      '--over-hold-percent <percent>',
      'flag a clearing that exceeds what was approved for it by more than this percentage',
      wholeNumberFrom(TERM_RANGES.overHoldPercent),
    )
    .option(
      '--rules-guard-percent <percent>',
      "ask for a confirmation before a rule is promoted that would have declined more than this percentage of a week's approvals",
      wholeNumberFrom(TERM_RANGES.rulesGuardPercent),
    )
    .option(
      '--support-limit-factor <factor>',
      'support may raise a limit of a card for a time to this multiple (default 2; 1: not at all)',
      wholeNumberFrom(TERM_RANGES.supportLimitFactor),
    )
    .option(
      '--support-limit-days <days>',
      'and for at most this number of days (default 7)',
      wholeNumberFrom(TERM_RANGES.supportLimitDays),
    )
    .option(
      '--allow-exemptions <list or none>',
      `exemptions that need no authentication: ${ALLOWABLE_EXEMPTIONS.join(', ')}`,
      exemptionList,
    );
}

/** Converts amounts into minor units of the program's currency. */
export function readTerms(given: GivenTerms, currency: string): ProgramChange {
  const { challengeAbove, requireAuthenticationAbove, secondPersonAbove, allowExemptions, ...terms } = given;
  const thresholds = readThresholds(
    { challengeAbove, requireAuthenticationAbove, secondPersonAbove },
    currency,
  );
  const change: Record<string, unknown> = { ...terms, ...thresholds };
  if (allowExemptions) change['allowedExemptions'] = allowExemptions;
  for (const [, name] of AMOUNTS) {
    const text = given[name];
    delete change[name];
    if (text !== undefined) change[`${name}Minor`] = amountIn(currency, name, text);
  }
  return change;
}

export const amountOf = (program: Program, name: AmountName): bigint => program[`${name}Minor`];
