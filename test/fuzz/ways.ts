import type { FuzzRequest } from './fuzz-request.ts';

/** The columns of the table of what was sent to which operation. */
export const WAYS = [
  'valid',
  'no right',
  'invalid',
  'hostile',
  'wrong type',
  'odd path',
  'odd head',
  'in pieces',
  'cut short',
  'together',
] as const;
export type Way = (typeof WAYS)[number];

const OF_TRICK: Record<string, Way> = {
  'spoilt body': 'invalid',
  'broken body': 'invalid',
  'long body': 'invalid',
  'odd id': 'hostile',
  'odd query': 'hostile',
  'ignored field': 'hostile',
  'field twice': 'hostile',
  'content type': 'wrong type',
  'odd method': 'odd path',
  'odd path': 'odd path',
  'odd header': 'odd head',
  'odd wire': 'odd head',
  'chunked body': 'in pieces',
  'cut short': 'cut short',
  together: 'together',
};

/** A request can be in several ways at once. */
export function waysOf({ trick, caller, delivery }: FuzzRequest): Set<Way> {
  const ways = new Set<Way>();
  const way = OF_TRICK[trick];
  if (way) ways.add(way);
  if (caller !== 'right') ways.add('no right');
  if (delivery === 'split' || delivery === 'slow') ways.add('in pieces');
  if (ways.size === 0) ways.add('valid');
  return ways;
}
