import {
  ATM_FEE,
  FX_FEE,
  SHOWN_AMOUNT,
  SHOWN_BILL,
  SHOWN_CURRENCY,
  TOTAL,
} from '../../authorizations/transactions/filter-queries.ts';
import { lastUseOf } from '../../cards/counter-queries.ts';
import { expiryOf, statusOfCard } from '../../cards/filter-queries.ts';
import { lastFourOf } from '../../cards/queries.ts';
import { asLiteral } from '../../db/bind.ts';
import { stateOfEvent } from '../../events/filter-queries.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { currenciesWith } from '../../kernel/currencies.ts';
import { balanceOf } from '../../ledger/queries.ts';
import type { Range } from '../../lists/filter-list.ts';
import { allMatching, type Filtered } from '../../lists/filter-queries.ts';
import { money, NAME_MARK, text, time } from '../../reports/report-queries.ts';
import type { ConsoleList } from './list.ts';

interface Scope {
  /** SQL. */
  program: string;
  nowMs: number;
}

const NAME = (cardId: string): string => `chr(${NAME_MARK.charCodeAt(0)}) || ${cardId}`;
const lastFour = ({ program }: Scope): string => lastFourOf(program, 't.credential_id');

/** Minor units as a decimal amount, in the currency of each row. */
function moneyIn(minor: string, currency: string): string {
  const cases = [0, 3, 4].map((digits) => {
    const codes = currenciesWith(digits).map((code) => `'${code}'`);
    return `when ${currency} in (${codes.join()}) then (${money(minor, { digits })})::text`;
  });
  return `case ${cases.join(' ')} else (${money(minor, { digits: 2 })})::text end`;
}

const inBill = (minor: string): string => moneyIn(minor, 't.bill_currency');
/** A refund is negative. */
const signed = (minor: string): string => `(case when t.kind = 'refund' then -1 else 1 end) * (${minor})`;

/** The columns of each export, in order, as SQL on a row `t`. Text from outside is made harmless for spreadsheets. */
const COLUMNS: Record<ConsoleList['path'], Record<string, (scope: Scope) => string>> = {
  cards: {
    card_id: () => 't.id',
    created: () => time('t.created_at'),
    status: ({ program, nowMs }) => statusOfCard(program, asLiteral(dayOf(nowMs), 'date')),
    status_reason: () => text('t.status_reason'),
    type: () => 't.card_type',
    design: () => text('t.design_id'),
    currency: () => 't.currency',
    last_four: lastFour,
    expiry_date: ({ program }) => expiryOf(program),
    available_credit: ({ program }) => moneyIn(balanceOf(program, 't.id'), 't.currency'),
    last_used: ({ program }) => time(lastUseOf(program, 't.id')),
    cardholder_name: () => NAME('t.id'),
  },
  transactions: {
    transaction_id: () => 't.id',
    created: () => time('t.created_at'),
    kind: () => 't.kind',
    status: () => 't.status',
    decline_reason: () => 't.decline_reason',
    merchant_name: () => text('t.merchant_name'),
    merchant_id: () => text('t.merchant_id'),
    mcc: () => 't.merchant_mcc',
    merchant_city: () => text('t.merchant_city'),
    merchant_country: () => 't.merchant_country',
    channel: () => 't.channel',
    amount: () => moneyIn(signed(SHOWN_AMOUNT), SHOWN_CURRENCY),
    currency: () => SHOWN_CURRENCY,
    bill_amount: () => inBill(signed(SHOWN_BILL)),
    fx_fee: () => inBill(FX_FEE),
    atm_fee: () => inBill(ATM_FEE),
    total: () => inBill(signed(TOTAL)),
    bill_currency: () => 't.bill_currency',
    approval_code: () => 't.approval_code',
    external_transaction_id: () => text('t.external_transaction_id'),
    card_id: () => 't.card_id',
    last_four: lastFour,
    cardholder_name: () => NAME('t.card_id'),
  },
  'webhook-events': {
    event_id: () => 't.id',
    created: () => time('t.created_at'),
    type: () => 't.event_type',
    name: () => 't.event_name',
    state: ({ program }) => stateOfEvent(program),
    card_id: () => 't.card_id',
    transaction_id: () => "t.data ->> 'transaction_id'",
  },
};

export const columnsOf = (path: ConsoleList['path']): string[] => Object.keys(COLUMNS[path]);

/**
 * All matching rows of a list, or those of them with one of these ids, for COPY. Only given columns are read; names are
 * filled in later.
 */
export function exportQuery(
  path: ConsoleList['path'],
  matching: Filtered,
  range: Range,
  columns: readonly string[],
  nowMs: number,
  ids?: readonly string[],
): string {
  const scope = { program: asLiteral(range.programId, 'uuid'), nowMs };
  const chosen = columns.map((column) => `${COLUMNS[path][column]?.(scope)} as ${column}`);
  const conditions: Filtered['conditions'] = (bind, program) => [
    ...matching.conditions(bind, program),
    ...(ids ? [`t.id in (${ids.map((id) => bind(id, 'uuid')).join()})`] : []),
  ];
  return `select ${chosen.join(', ')} from ${allMatching({ ...matching, conditions }, range, asLiteral)}`;
}
