import type { Role } from './types.ts';

export const ROLE_WORDS: Record<Role, string> = {
  viewer: 'viewer',
  support: 'support',
  manager: 'manager',
  admin: 'administrator',
};

export const ROLE_NAMES: Record<Role, string> = {
  viewer: 'Viewer',
  support: 'Support',
  manager: 'Manager',
  admin: 'Administrator',
};
