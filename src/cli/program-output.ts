import type { Queryable } from '../db/database.ts';
import { formatAmount } from '../kernel/money.ts';
import { findMasterBalances } from '../ledger/queries.ts';
import { type Program, programNow } from '../programs/program.ts';
import { AMOUNTS, amountOf, RATES } from './program-terms.ts';
import { thresholdPairs, thresholdsJson } from './program-thresholds.ts';
import { details, moment, type Output, type Terminal, table } from './terminal.ts';

export function programList(terminal: Terminal, programs: Program[]): Output {
  const rows = programs.map((each) => [
    each.id,
    each.name,
    each.mode,
    each.currency,
    each.bin,
    each.kycProvider,
  ]);
  const names = ['ID', 'NAME', 'MODE', 'CURRENCY', 'BIN', 'KYC'];
  const empty = 'No programs yet; the first start creates one.';
  return { json: { programs: programs.map(programJson) }, text: table(terminal, names, rows, empty) };
}

export async function oneProgram(db: Queryable, title: string, program: Program): Promise<Output> {
  const balances = await readBalances(db, program);
  const { id, name, mode, currency, bin, kycProvider, createdAt } = program;
  const clock = new Date(programNow(program, Date.now()));
  const pairs: Array<[string, string]> = [
    ['id', id],
    ['name', name],
    ['mode', mode],
    ['currency', currency],
    ['BIN', bin],
    ['KYC provider', kycProvider],
    ['created', moment(createdAt, '')],
    ['clock', moment(clock, '')],
    ...termPairs(program),
    ...balancePairs(balances, currency),
  ];
  return { json: { ...programJson(program), balances }, text: `${title}\n${details(pairs)}` };
}

async function readBalances(db: Queryable, { id, currency }: Program) {
  const { masterMinor: availableMinor, heldMinor } = await findMasterBalances(db, id);
  return presentBalances({ availableMinor, heldMinor }, currency);
}

/** The money of the program: `balance` is what is held and what is available together. */
export const presentBalances = (
  { availableMinor, heldMinor }: { availableMinor: bigint; heldMinor: bigint },
  currency: string,
) => ({
  balance: formatAmount(availableMinor + heldMinor, currency),
  held: formatAmount(heldMinor, currency),
  available: formatAmount(availableMinor, currency),
});

export const balancePairs = (balances: ReturnType<typeof presentBalances>, currency: string) =>
  Object.entries(balances).map(([name, amount]): [string, string] => [name, `${amount} ${currency}`]);

function termPairs(program: Program): Array<[string, string]> {
  const { currency, enforceMasterBalance, authorizationMode, authenticationDays, holdDays, longHoldDays } =
    program;
  const { overHoldPercent, rulesGuardPercent, allowedExemptions, supportLimitFactor, supportLimitDays } =
    program;
  return [
    ...RATES.map(([, field, label]): [string, string] => [label, `${program[field]} basis points`]),
    ...AMOUNTS.map(([, name, label]): [string, string] => [
      label,
      `${formatAmount(amountOf(program, name), currency)} ${currency}`,
    ]),
    ['authorizations', authorizationMode],
    ...thresholdPairs(program),
    ['authentications', `count for ${authenticationDays} days`],
    ['exemptions', allowedExemptions.join(', ') || 'none allowed'],
    ['holds', `released after ${holdDays} days; lodging and vehicle rental after ${longHoldDays}`],
    ['clearings', `flagged more than ${overHoldPercent} % above what was approved`],
    ['rules', `promoted without a confirmation up to ${rulesGuardPercent} % of a week's approvals`],
    [
      'support',
      supportLimitFactor > 1
        ? `raises limits to ${supportLimitFactor} times at most, for ${supportLimitDays} days at most`
        : 'does not raise limits',
    ],
    ['master account', enforceMasterBalance ? 'enforced' : 'not enforced'],
  ];
}

function programJson(program: Program) {
  const { id, name, mode, currency, bin, kycProvider, createdAt, enforceMasterBalance } = program;
  const { authorizationMode, authenticationDays, holdDays, longHoldDays } = program;
  const { overHoldPercent, rulesGuardPercent, allowedExemptions, supportLimitFactor, supportLimitDays } =
    program;
  const now = new Date(programNow(program, Date.now()));
  const rates = RATES.map(([, field]) => [field, program[field]]);
  const amounts = AMOUNTS.map(([, field]) => [field, formatAmount(amountOf(program, field), currency)]);
  const terms = {
    authorizationMode,
    enforceMasterBalance,
    holdDays,
    longHoldDays,
    ...thresholdsJson(program),
    authenticationDays,
    overHoldPercent,
    rulesGuardPercent,
    allowedExemptions,
    supportLimitFactor,
    supportLimitDays,
    fees: Object.fromEntries([...rates, ...amounts]),
  };
  return { id, name, mode, currency, bin, kycProvider, created: createdAt, now, ...terms };
}
