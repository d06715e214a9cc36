import type { Rule } from './queries.ts';

export type Step = 'promote' | 'demote' | 'archive';

interface Possible {
  step: Step;
  label: string;
  isMain?: true;
}

const PROMOTE: Possible = { step: 'promote', label: 'Promote', isMain: true };
const DEMOTE: Possible = { step: 'demote', label: 'Demote' };
const ARCHIVE: Possible = { step: 'archive', label: 'Archive' };

/** The steps that the server allows for each status. */
export const STEPS: Record<Rule['status'], readonly Possible[]> = {
  PREPARING: [ARCHIVE],
  SHADOW: [PROMOTE, ARCHIVE],
  ACTIVE: [DEMOTE, ARCHIVE],
  ARCHIVED: [],
};
