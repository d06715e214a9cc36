import type { Filtered } from '../../lists/filter-queries.ts';
import { TRANSACTION_LIST } from './queries.ts';

/** As a status: any but DECLINED. */
export const APPROVED = 'APPROVED';

/** The conditions on a transaction. Undefined: any value. */
export interface TransactionConditions {
  cardId?: string | undefined;
  status?: string | undefined;
  kind?: string | undefined;
  channel?: string | undefined;
  declineReason?: string | undefined;
  merchant?: string | undefined;
  mcc?: string | undefined;
  currency?: string | undefined;
  minTotalMinor?: bigint | undefined;
  maxTotalMinor?: bigint | undefined;
}

const IS_HELD = `t.status = 'PENDING' and t.kind = 'purchase'`;
/** As `shownMoney`. Refunds are without their sign. */
export const SHOWN_BILL = `case when t.status = 'CLEARED' and t.cleared_currency is not null then t.cleared_minor
  when ${IS_HELD} then t.held_minor + t.cleared_minor else t.bill_amount_minor end`;

/** As `feesOf` and `basisPoints`: rounded half to even. */
const FX_PRODUCT = `(t.fx_cleared_minor
  + case when t.currency <> t.bill_currency then t.held_minor else 0 end)::numeric * t.fx_fee_bps`;
const FX = `(div(${FX_PRODUCT}, 10000)
  + case when 2 * mod(${FX_PRODUCT}, 10000) + mod(div(${FX_PRODUCT}, 10000), 2) > 10000 then 1 else 0 end)`;
/** Fees of what is held and cleared. A refund has none. */
export const FX_FEE = `case when t.kind = 'refund' then 0 else ${FX} end`;
export const ATM_FEE = `case when t.kind <> 'refund' and t.held_minor + t.cleared_minor > 0 then t.atm_fee_minor else 0 end`;
export const TOTAL = `(${SHOWN_BILL}) + ${FX_FEE} + ${ATM_FEE}`;
export const SHOWN_AMOUNT = `case when t.status = 'CLEARED' and t.cleared_currency is not null
  then t.cleared_amount_minor
  when ${IS_HELD} then t.held_amount_minor + case
    when t.cleared_currency is null or t.cleared_currency = t.currency then t.cleared_amount_minor
    when t.currency = t.bill_currency then t.cleared_minor
    when t.bill_amount_minor = 0 then 0
    else div(t.amount_minor::numeric * t.cleared_minor, t.bill_amount_minor) end
  else t.amount_minor end`;
export const SHOWN_CURRENCY = `case when t.status = 'CLEARED' then coalesce(t.cleared_currency, t.currency) else t.currency end`;

/** The transactions that match. Amounts include fees. */
export const transactionsMatching = (wanted: TransactionConditions): Filtered => {
  const { cardId, status, kind, channel, declineReason, merchant, mcc, currency } = wanted;
  const { minTotalMinor, maxTotalMinor } = wanted;
  return {
    ...TRANSACTION_LIST,
    lead: cardId === undefined ? undefined : { column: 'card_id', value: (bind) => bind(cardId, 'uuid') },
    conditions: (bind) => {
      const given = <Value>(value: Value | undefined, condition: (value: Value) => string): string[] =>
        value === undefined ? [] : [condition(value)];
      return [
        ...given(status, (value) =>
          value === APPROVED ? `t.status <> 'DECLINED'` : `t.status = ${bind(value, 'text')}`,
        ),
        ...given(kind, (value) => `t.kind = ${bind(value, 'text')}`),
        ...given(channel, (value) => `t.channel = ${bind(value, 'text')}`),
        ...given(declineReason, (value) => `t.decline_reason = ${bind(value, 'text')}`),
        ...given(
          merchant,
          (value) =>
            `(t.merchant_id = ${bind(value, 'text')} or strpos(lower(t.merchant_name), lower(${bind(value, 'text')})) > 0)`,
        ),
        ...given(mcc, (value) => `t.merchant_mcc = ${bind(value, 'text')}`),
        ...given(currency, (value) => `${SHOWN_CURRENCY} = ${bind(value, 'text')}`),
        ...given(minTotalMinor, (value) => `${TOTAL} >= ${bind(value, 'bigint')}`),
        ...given(maxTotalMinor, (value) => `${TOTAL} <= ${bind(value, 'bigint')}`),
      ];
    },
  };
};
