import type { Rule } from './queries.ts';

/** The cards that a rule applies to, in words. */
export function subjectWords(appliesTo: Rule['appliesTo']): string {
  if (appliesTo === 'PROGRAM') return 'All cards';
  const [noun, ids] =
    'cardIds' in appliesTo ? ['card', appliesTo.cardIds] : ['customer', appliesTo.customerIds];
  return `${ids.length} ${noun}${ids.length === 1 ? '' : 's'}`;
}
