import { sentenceOf } from '../failure.ts';

/**
 * `fail`: the service does not run, or not as promised. `warn`: it runs, and somebody should look. A finding
 * that is not `ok` says what to do.
 */
export interface Finding {
  status: 'ok' | 'warn' | 'fail';
  check: string;
  what: string;
  remedy: string | null;
}

export const ok = (check: string, what: string): Finding => ({ status: 'ok', check, what, remedy: null });

export const warn = (check: string, what: string, remedy: string): Finding => ({
  status: 'warn',
  check,
  what,
  remedy,
});

export const fail = (check: string, what: string, remedy: string): Finding => ({
  status: 'fail',
  check,
  what,
  remedy,
});

/** A check that throws has failed; the error is what it found. */
export async function examine(
  check: string,
  remedy: string,
  work: () => Finding[] | Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    return [fail(check, sentenceOf(error), remedy)];
  }
}
