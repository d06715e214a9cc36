import type { Bind } from '../../db/bind.ts';
import { labelledIn } from '../../lists/filter-queries.ts';
import type { Wanted } from '../../lists/filters.ts';
import type { Flag } from '../core/flag.ts';

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

type Column = 'status' | 'kind' | 'channel' | 'decline_reason' | 'merchant_mcc';

/** One index has those that are pending, another one the rest. */
const IS_PENDING = `texteq(r.status, 'PENDING')`;

export const withStatus = (status: string): Wanted => ({
  ...withValue('status', status),
  leads: [
    status === 'PENDING'
      ? { where: IS_PENDING }
      : { column: 'status', value: (bind) => bind(status, 'text'), where: `not ${IS_PENDING}` },
  ],
  isExact: true,
});

export const withDeclineReason = (reason: string): Wanted => ({
  ...withValue('decline_reason', reason),
  leads: [{ column: 'decline_reason', value: (bind) => bind(reason, 'text') }],
  isExact: true,
});

/** The transactions with a value in a column that no index has. */
export const withValue = (column: Column, value: string): Wanted => ({
  where: (bind) => `t.${column} = ${bind(value, 'text')}`,
});

export const notDeclined: Wanted = { where: () => `t.status <> 'DECLINED'` };

export const ofCard = (cardId: string): Wanted => ({
  where: (bind) => `t.card_id = ${bind(cardId, 'uuid')}`,
  leads: [{ column: 'card_id', value: (bind) => bind(cardId, 'uuid') }],
  isExact: true,
  cardId,
});

/** The transaction with an id of the network. */
export const withExternalId = (externalId: string): Wanted => ({
  where: (bind) => `t.external_transaction_id = ${bind(externalId, 'text')}`,
  leads: [
    {
      column: 'id',
      value: (bind, program) => `(select m.transaction_id from network_messages m
        where m.program_id = ${program} and m.kind = 'transaction' and m.message_id = ${bind(externalId, 'text')})`,
    },
  ],
});

export const withFlag = (flag: Flag): Wanted => ({
  where: () => `t.flags ? '${flag}'`,
  leads: [{ where: `r.flags ? '${flag}'` }],
  isExact: true,
});

export const atMerchant = (merchant: string): Wanted => ({
  where: (bind) => {
    const value = bind(merchant, 'text');
    return `(t.merchant_id = ${value} or strpos(lower(t.merchant_name), lower(${value})) > 0)`;
  },
});

export const inCurrency = (currency: string): Wanted => ({
  where: (bind) => `${SHOWN_CURRENCY} = ${bind(currency, 'text')}`,
});

/** Of the amount in the card's currency, with or without fees. */
export const compared = (
  amount: typeof SHOWN_BILL | typeof TOTAL,
  comparison: '>=' | '<=',
  minor: bigint,
): Wanted => ({
  where: (bind) => `${amount} ${comparison} ${bind(minor, 'bigint')}`,
});

/** With more, the newest events of all are read: a card that is used so much is found among them. */
const MOST_EVENTS = 20_000;

/** For a larger query: the ids of a transaction's events, and those of all of a card's, as an array. Null: too many. */
export const eventIdsOf = {
  transaction: (transactionId: string, bind: Bind, program: string): string =>
    `(select event_ids from transactions where program_id = ${program} and id = ${bind(transactionId, 'uuid')})`,
  card: (cardId: string, bind: Bind, program: string): string =>
    `(select case when count(*) <= ${MOST_EVENTS} then coalesce(array_agg(id), '{}') end from (
        select unnest(event_ids) as id from transactions
        where program_id = ${program} and card_id = ${bind(cardId, 'uuid')} limit ${MOST_EVENTS + 1}) own)`,
};

/** The transactions with a pair of metadata. */
export const withLabel = labelledIn('transaction_labels');
