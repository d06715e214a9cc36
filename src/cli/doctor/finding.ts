import { sentenceOf } from '../failure.ts';

/**
 * `fail`: the service does not run, or not as documented. `warn`: it runs, but needs attention. Every finding other
 * than `ok` has a remedy.
 */
export interface Finding {
  status: 'ok' | 'warn' | 'fail';
  check: string;
  what: string;
  remedy: string | null;
}

export const ok = (check: string, what: string): Finding => ({ status: 'ok', check, what, remedy: null });

const finding =
  (status: Finding['status']) =>
  (check: string, what: string, remedy: string): Finding => ({
    status,
    check,
    what,
    remedy,
  });
export const warn = finding('warn');
export const fail = finding('fail');

/** Reports a check that throws as failed, with the error as the finding. */
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
