import type { Role } from '../operators/operator.ts';

/** What support may do beside reading, by operation. */
const SUPPORT: ReadonlySet<string> = new Set(['freezeCard', 'blockCard']);

/** Numbers are revealed for a reason here, by an operation of the console's own. */
export const CLOSED: ReadonlySet<string> = new Set(['revealCredentials']);

/** Operations that leave no entry of their own in the audit: for merchants they are everyday traffic. */
const UNRECORDED: ReadonlySet<string> = new Set([
  'simulateAuthorization',
  'simulateReversal',
  'simulateClearing',
  'simulateRefund',
  'registerKycApplicant',
  'testWebhookEndpoint',
  'resendWebhookEvent',
  'resendMissedWebhookEvents',
  'requestFile',
  // Hands out a link, which then opens for whoever has it.
  'getFileRequest',
]);

/** The name under which the door writes down what a person did; undefined where the operation does so itself. */
export const actionFor = (operationId: string | undefined): string | undefined =>
  operationId !== undefined && UNRECORDED.has(operationId) ? `console.${operationId}` : undefined;

/** Asked for with GET, as the API wants it, and yet it starts something. */
const STARTS: ReadonlySet<string> = new Set(['requestFile']);

/** Whether a request does more than look. */
export const doesSomething = (method: string, operationId: string | undefined): boolean =>
  (method !== 'GET' && method !== 'HEAD') || (operationId !== undefined && STARTS.has(operationId));

/** The role that an operation needs: everybody may look, and what nobody thought of is for administrators. */
export function roleFor(method: string, operationId: string | undefined): Role {
  if (!doesSomething(method, operationId)) return 'viewer';
  return operationId !== undefined && SUPPORT.has(operationId) ? 'support' : 'admin';
}
