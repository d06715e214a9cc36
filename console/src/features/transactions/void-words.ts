import type { TransactionDetail, TransactionLife } from '../../lib/types.ts';

/** The meaning of "void" in a list, which does not include how the hold ended. */
export const voidWords = ({ billAmount }: TransactionDetail): string =>
  Number(billAmount) === 0 ? 'Account check, no hold' : 'Hold released, never cleared';

/** The same with the transaction's events, which show how the hold ended. */
export const voidWordsOf = ({ transaction, events }: TransactionLife): string =>
  events.at(-1)?.name === 'authorization.reversal' ? 'Reversed by the merchant' : voidWords(transaction);

/** No money was paid. */
export const isStruck = ({ status, billAmount }: TransactionDetail): boolean =>
  (status === 'VOID' || status === 'DECLINED') && Number(billAmount) !== 0;

const RELEASES = ['authorization.reversal', 'authorization.expired'];

/** The amount first held and the amount released, unless the status already says it. */
export function releasedPart({ transaction, events }: TransactionLife) {
  const held = events.find(({ name }) => name === 'authorization');
  const released = events.filter(({ name }) => RELEASES.includes(name));
  if (!held || released.length === 0 || transaction.status === 'VOID') return null;
  const digits = held.billAmount.split('.')[1]?.length ?? 0;
  const sum = released.reduce((total, { billAmount }) => total + Number(billAmount), 0);
  return { authorized: held.billAmount, released: sum.toFixed(digits) };
}
