import { CONSOLE_TRANSACTION_FILTERS, checkAmounts } from '../../authorizations/transactions/filters.ts';
import { findTransactions, TRANSACTION_LIST } from '../../authorizations/transactions/queries.ts';
import { detailsOf } from '../transactions/detail.ts';
import { EXAMPLE_DETAIL } from '../transactions/examples.ts';
import { TransactionDetail } from '../transactions/schema.ts';
import { type ConsoleList, inOrder } from './list.ts';

export const TRANSACTIONS: ConsoleList = {
  path: 'transactions',
  exported: 'console.exported_transactions',
  name: 'Transactions',
  list: TRANSACTION_LIST,
  filters: CONSOLE_TRANSACTION_FILTERS,
  refusal: 'mcc: must be a merchant category code of 4 digits',
  row: TransactionDetail,
  example: EXAMPLE_DETAIL,
  check: checkAmounts,
  read: async (services, actor, ids) => {
    const records = await findTransactions(services.db, actor.program.id, ids);
    return detailsOf(
      services,
      actor.program.id,
      inOrder(ids, records, ({ id }) => id),
    );
  },
};
