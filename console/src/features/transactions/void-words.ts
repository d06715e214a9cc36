import type { TransactionDetail, TransactionLife } from '../../lib/types.ts';

/** The meaning of "void" in a list, which does not include how the hold ended. */
export const voidWords = ({ billAmount }: TransactionDetail): string =>
  Number(billAmount) === 0 ? 'Account check, no hold' : 'Hold released, never cleared';

/** The same with the transaction's events, which show how the hold ended. */
export const voidWordsOf = ({ transaction, events }: TransactionLife): string =>
  REVERSED[events.at(-1)?.name ?? ''] ?? voidWords(transaction);

const REVERSED: Record<string, string> = {
  'authorization.reversal': 'Reversed by the merchant',
  'authorization.clearing.reversal': 'Clearing reversed by the network',
  'refund.reversal': 'Refund reversed by the network',
};

/** No money was paid. */
export const isStruck = ({ status, billAmount }: TransactionDetail): boolean =>
  (status === 'VOID' || status === 'DECLINED') && Number(billAmount) !== 0;

const RELEASES = ['authorization.reversal', 'authorization.expired'];

/** The amount first held and the amount released, unless the status already says it or events are left out. */
export function releasedPart({ transaction, events, eventsTotal }: TransactionLife) {
  if (events.length < eventsTotal) return null;
  const held = events.find(({ name }) => name === 'authorization');
  const released = events.filter(({ name }) => RELEASES.includes(name));
  if (!held || released.length === 0 || transaction.status === 'VOID') return null;
  const digits = held.billAmount.split('.')[1]?.length ?? 0;
  const sum = released.reduce((total, { billAmount }) => total + Number(billAmount), 0);
  return { authorized: held.billAmount, released: sum.toFixed(digits) };
}
