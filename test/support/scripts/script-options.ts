import { Command, InvalidArgumentError } from 'commander';

/** The command-line options of the long test runs; `--help` shows them. */

const WRONG_USE = 2;

/** `npm run <name>`. */
export const scriptOf = (name: string, description: string): Command =>
  new Command(`npm run ${name} --`)
    .description(description)
    .showHelpAfterError('(--help says more)')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USE));

export const atLeast =
  (least: number) =>
  (text: string): number => {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isFinite(number) && number >= least) return number;
    throw new InvalidArgumentError(`It must be a number from ${least} on.`);
  };

export const wholeFrom =
  (least: number) =>
  (text: string): number => {
    const number = atLeast(least)(text);
    if (Number.isSafeInteger(number)) return number;
    throw new InvalidArgumentError('It must be a whole number.');
  };

/** The default seed; the run prints it. */
export const randomSeed = (): number => Math.floor(Math.random() * 2 ** 31);
