import { nearestName } from '../../kernel/nearest.ts';

const SHORT = /^[\w.<>:-]{1,60}$/;

/** A wrong name as an error repeats it: not a long one, and none with signs that could mislead. */
export const quoted = (name: string): string => (SHORT.test(name) ? `"${name}"` : 'this');

/** `; did you mean "mcc"?`, or nothing if no name is close. */
export function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

export const suggestion = (wrong: string, names: readonly string[]): string =>
  didYouMean(nearestName(wrong, names));
