import type { ReactNode } from 'react';
import classes from './status-badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'cool' | 'quiet';

/** Every state that the console shows, in words and with its colour. Colour alone never tells. */
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

/** A state in words; one that is not known stands for itself. */
export const statusText = (status: string): string =>
  (STATES as Record<string, readonly [string, Tone]>)[status]?.[0] ?? status;

export function StatusBadge({ status }: { status: KnownStatus }) {
  const [text, tone] = STATES[status];
  return <ToneBadge tone={tone}>{text}</ToneBadge>;
}

/** For states that are a page's own. */
export function ToneBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}
