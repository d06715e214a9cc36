import type { Tx } from '../db/database.ts';
import type { Remember } from '../http/idempotency.ts';
import type { Actor } from './actor.ts';

/** What the operator gets instead of the answer of the operation, with the status 202. */
export interface RequestedApproval {
  approvalId: string;
  /** Until then another operator can approve it. */
  expires: string;
}

/**
 * Makes an operator's change in a transaction, or keeps it for a second person if the program wants one for it.
 * `approvals/` knows the kinds of changes and makes them later.
 */
export type MakeOrRequest = <Answer extends object>(
  actor: Actor,
  kind: 'adjustment' | 'deposit' | 'withdrawal' | 'fees',
  payload: Record<string, unknown>,
  make: (tx: Tx) => Promise<Answer>,
  remember?: Remember,
) => Promise<Answer | RequestedApproval>;

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
