import type { TransactionDetail, TransactionLife } from '../../lib/types.ts';

/** What "void" means for a transaction of a list, which does not know how the hold ended. */
export const voidWords = ({ billAmount }: TransactionDetail): string =>
  Number(billAmount) === 0 ? 'Account check, no hold' : 'Hold released, never cleared';

/** Its events know. */
export const voidWordsOf = ({ transaction, events }: TransactionLife): string =>
  events.at(-1)?.name === 'authorization.reversal' ? 'Reversed by the merchant' : voidWords(transaction);

/** Nothing was paid. */
export const isStruck = ({ status, billAmount }: TransactionDetail): boolean =>
  (status === 'VOID' || status === 'DECLINED') && Number(billAmount) !== 0;

const RELEASES = ['authorization.reversal', 'authorization.expired'];

/** What was first set aside and how much of it was let go, where that is not the whole story already. */
export function releasedPart({ transaction, events }: TransactionLife) {
  const held = events.find(({ name }) => name === 'authorization');
  const released = events.filter(({ name }) => RELEASES.includes(name));
  if (!held || released.length === 0 || transaction.status === 'VOID') return null;
  const digits = held.billAmount.split('.')[1]?.length ?? 0;
  const sum = released.reduce((total, { billAmount }) => total + Number(billAmount), 0);
  return { authorized: held.billAmount, released: sum.toFixed(digits) };
}
