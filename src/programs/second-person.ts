import type { Remember } from '../http/idempotency.ts';
import type { Actor } from './actor.ts';

/** What the operator gets instead of the answer of the operation, with the status 202. */
export interface RequestedApproval {
  approvalId: string;
  /** Until then another operator can approve it. */
  expires: string;
}

/**
 * Keeps an operator's change for a second person, if the program wants one for it. Undefined: make the change now.
 * `approvals/` knows the kinds of changes and makes them later.
 */
export type RequestApproval = (
  actor: Actor,
  kind: 'adjustment' | 'deposit' | 'withdrawal' | 'fees',
  payload: Record<string, unknown>,
  remember?: Remember,
) => Promise<RequestedApproval | undefined>;

/** Whether a change needs a second person. A change without an amount does, if the program wants one at all. */
export function needsSecondPerson(aboveMinor: bigint | null, amountMinor: bigint | null): boolean {
  if (aboveMinor === null) return false;
  if (amountMinor === null) return true;
  return (amountMinor < 0n ? -amountMinor : amountMinor) > aboveMinor;
}

/** Sends the answer of the operation, or that the change waits for a second person. */
export const sendOrAccept = <Answer extends object>(
  reply: { code: (status: never) => { send: (answer: never) => unknown } },
  status: number,
  answer: Answer | RequestedApproval,
): never => reply.code(('approvalId' in answer ? 202 : status) as never).send(answer as never) as never;
