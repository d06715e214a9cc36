import type { Role } from './types.ts';

export const ROLE_WORDS: Record<Role, string> = {
  viewer: 'viewer',
  support: 'support',
  manager: 'manager',
  admin: 'administrator',
};

export const ROLE_MEANINGS: Record<Role, string> = {
  viewer: 'Viewer: read-only',
  support: 'Support: freezes, creates and reissues cards',
  manager: 'Manager: also blocks cards, changes limits and balances',
  admin: 'Administrator: full access',
};
