import type { Role } from '../operators/operator.ts';

/** What support may do beside reading, by operation. */
const SUPPORT: ReadonlySet<string> = new Set(['freezeCard', 'blockCard']);

/** Numbers are revealed for a reason here, by an operation of the console's own. */
export const CLOSED: ReadonlySet<string> = new Set(['revealCredentials']);

/** The role that an operation needs: everybody may look, and what nobody thought of is for administrators. */
export function roleFor(method: string, operationId: string | undefined): Role {
  if (method === 'GET' || method === 'HEAD') return 'viewer';
  return operationId !== undefined && SUPPORT.has(operationId) ? 'support' : 'admin';
}
