import type { ReactNode } from 'react';
import classes from './status-badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'cool' | 'quiet';

/** Every state in the console with its label and colour. The colour is never the only indication. */
const STATES = {
  ACTIVE: ['Active', 'good'],
  FROZEN: ['Frozen', 'cool'],
  BLOCKED: ['Blocked', 'bad'],
  EXPIRED: ['Expired', 'quiet'],
  PENDING: ['Pending', 'warn'],
  CLEARED: ['Cleared', 'good'],
  DECLINED: ['Declined', 'bad'],
  VOID: ['Void', 'quiet'],
  ORDERED: ['Ordered', 'warn'],
  SHIPPED: ['Shipped', 'cool'],
  DELIVERED: ['Delivered', 'good'],
  RETURNED: ['Returned', 'bad'],
} as const satisfies Record<string, readonly [string, Tone]>;

export type KnownStatus = keyof typeof STATES;

/** The label of a state; an unknown state is shown as it is. */
export const statusText = (status: string): string =>
  (STATES as Record<string, readonly [string, Tone]>)[status]?.[0] ?? status;

export function StatusBadge({ status }: { status: KnownStatus }) {
  const [text, tone] = STATES[status];
  return <ToneBadge tone={tone}>{text}</ToneBadge>;
}

/** For states that only one page has. */
export function ToneBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}
