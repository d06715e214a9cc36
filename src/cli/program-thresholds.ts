import type { Command } from 'commander';
import { formatAmount } from '../kernel/money.ts';
import type { Program, SecondPerson, Thresholds } from '../programs/program.ts';
import { amountIn, decimalTextOr } from './values.ts';

/** Amounts above which a rule applies: option, field, the word for no amount, description. */
const THRESHOLDS = [
  [
    '--challenge-above',
    'challengeAbove',
    'always',
    'challenge payments above this amount, and all in another currency, if no decision endpoint decides',
  ],
  [
    '--require-authentication-above',
    'requireAuthenticationAbove',
    'none',
    'decline online purchases above this amount without an authentication that counts',
  ],
  [
    '--second-person-above',
    'secondPersonAbove',
    'off',
    'money that an operator moves above this amount, and each change of fees, waits for a second operator',
  ],
] as const;

type Name = (typeof THRESHOLDS)[number][1];

/** As commander returns them: an amount as text, or the word. */
export type GivenThresholds = { [name in Name]?: string | undefined };

export function addThresholdOptions(command: Command): void {
  for (const [flag, , word, what] of THRESHOLDS)
    command.option(`${flag} <amount or ${word}>`, what, decimalTextOr(word));
}

export function readThresholds(given: GivenThresholds, currency: string): Partial<Thresholds & SecondPerson> {
  const read = THRESHOLDS.flatMap(([, name, word]) => {
    const text = given[name];
    if (text === undefined) return [];
    return [[`${name}Minor`, text === word ? null : amountIn(currency, name, text)]];
  });
  return Object.fromEntries(read);
}

/** Null: no amount. */
function thresholdOf(program: Program, name: Name): string | null {
  const minor = program[`${name}Minor`];
  return minor === null ? null : formatAmount(minor, program.currency);
}

export const thresholdsJson = (program: Program) =>
  Object.fromEntries(THRESHOLDS.map(([, name]) => [name, thresholdOf(program, name)]));

export function thresholdPairs(program: Program): Array<[string, string]> {
  const { currency } = program;
  const [challenge, require, secondPerson] = THRESHOLDS.map(([, name]) => thresholdOf(program, name));
  return [
    [
      '3-D Secure',
      challenge
        ? `challenges payments above ${challenge} ${currency} or in another currency`
        : 'challenges every payment',
    ],
    [
      'online purchases',
      require ? `need an authentication above ${require} ${currency}` : 'need no authentication',
    ],
    ['second person', secondPerson ? `needed above ${secondPerson} ${currency}` : 'off'],
  ];
}
