import type { TransactionDetail, TransactionLife } from '../../lib/types.ts';

/** The meaning of "void", everywhere the same. The timeline of the transaction shows how it ended. */
export function voidWords({ kind, type, billAmount }: TransactionDetail): string {
  if (type === 'CREDIT') return 'No refund came';
  if (kind === 'refund') return 'Refund reversed';
  return Number(billAmount) === 0 ? 'Account check, no hold' : 'Released, nothing paid';
}

/** No money was paid. */
export const isStruck = ({ status, billAmount }: TransactionDetail): boolean =>
  (status === 'VOID' || status === 'DECLINED') && Number(billAmount) !== 0;

const RELEASES = ['authorization.reversal', 'authorization.expired'];

/** The amount first held and the amount released, unless the status already says it or events are left out. */
export function releasedPart({ transaction, events, eventsTotal }: TransactionLife) {
  if (events.length < eventsTotal) return null;
  // An advice says anew what is held.
  const since = events.findLastIndex(({ name }) => name === 'authorization');
  const held = events[since];
  const released = events.slice(since).filter(({ name }) => RELEASES.includes(name));
  if (!held || released.length === 0 || transaction.status === 'VOID') return null;
  const digits = held.total.split('.')[1]?.length ?? 0;
  const sum = released.reduce((all, { total }) => all + Number(total), 0);
  return { authorized: held.total, released: sum.toFixed(digits) };
}
