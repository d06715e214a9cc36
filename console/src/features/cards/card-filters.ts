import type { Filter } from '../../components/list/filter.ts';
import { type Fits, oneOf } from '../../components/list/search.ts';
import { statusText } from '../../components/status-badge.tsx';
import type { CardDesign } from '../../lib/types.ts';

const STATUSES = ['ACTIVE', 'FROZEN', 'BLOCKED', 'EXPIRED'];
const TYPES = { virtual: 'Virtual', physical: 'Physical' };

type FilterName = 'status' | 'type' | 'design';

/** The values that the server accepts. */
export const FITS: Fits<FilterName> = {
  status: oneOf(...STATUSES),
  type: (value) => Object.hasOwn(TYPES, value),
  design: (value) => value.length <= 64,
};

export const cardFilters = (designs: CardDesign[]): Filter[] => [
  {
    name: 'status',
    label: 'Status',
    choices: Object.fromEntries(STATUSES.map((status) => [status, statusText(status)])),
  },
  { name: 'type', label: 'Type', choices: TYPES },
  {
    name: 'design',
    label: 'Design',
    choices: Object.fromEntries(designs.map(({ id, name }) => [id, name])),
  },
];
