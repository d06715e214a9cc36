import { arnOf } from '../authorizations/engine/presentment-queries.ts';
import { credentialOf } from '../authorizations/transactions/queries.ts';
import { chargesIn } from '../cards/maintenance-queries.ts';
import { cardWithId, credentialAt, lastFourOf } from '../cards/queries.ts';
import { eventsBetween, eventWithId } from '../events/queries.ts';
import { type Day, dayEndMs, dayStartMs } from '../kernel/calendar.ts';
import { currencyDigits } from '../kernel/currencies.ts';
import { isId, lowestIdAt } from '../kernel/ids.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { openingBalanceOf, transfersBetween } from '../ledger/queries.ts';
import { FORMULA } from './csv.ts';
import type { FileType, Subject } from './report.ts';

/**
 * The parameters of a report's query. COPY takes no parameters, so every value is validated and written into the SQL.
 */
export interface QueryScope extends Subject {
  programId: string;
  currency: string;
}

/** The rows of a report in ascending time. All data come from transfers and events, which never change. */
export const reportQuery = (scope: QueryScope): string => QUERIES[scope.fileType](literals(scope));

interface Literals {
  program: string;
  /** Transfers from this id on and below `below`. Ids contain their time, so the period is always in UTC. */
  from: string;
  below: string;
  firstDay: string;
  currency: string;
  digits: number;
}

function literals({ programId, firstDay, lastDay, currency }: QueryScope): Literals {
  if (!/^[A-Z]{3}$/.test(currency)) throw new Error('a report has the currency of its program');
  return {
    program: uuid(programId),
    from: uuid(lowestIdAt(dayStartMs(firstDay))),
    below: uuid(lowestIdAt(dayEndMs(lastDay))),
    firstDay: dateLiteral(firstDay),
    currency: `'${currency}'`,
    digits: currencyDigits(currency),
  };
}

function uuid(id: string): string {
  if (!isId(id)) throw new Error('a report names its program and transfers by their ids');
  return `'${id}'::uuid`;
}

function dateLiteral(day: Day): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error('a report is of days');
  return `'${day}'::date`;
}

const account = (name: keyof typeof ACCOUNTS): string => uuid(ACCOUNTS[name]);

/** The same format as the timestamps of the API. */
export const time = (at: string): string =>
  `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+0000"')`;

/** Minor units as a decimal amount in the currency. */
export const money = (minor: string, { digits }: Pick<Literals, 'digits'>): string =>
  digits === 0 ? `(${minor})` : `(${minor}) * 0.${'1'.padStart(digits, '0')}`;

/** Text from outside, escaped as in `csv.ts`. Most texts only need the match. */
export const text = (value: string): string =>
  `case when ${value} ~ '${FORMULA}' then regexp_replace(${value}, '${FORMULA}', '\\1''\\2', 'g') else ${value} end`;

const transfers = ({ program, from, below }: Literals): string => transfersBetween(program, from, below);

/**
 * The event of a movement; funding and withdrawals have none with its id. A lateral look-up for each row: rows are in
 * order of ids, so consecutive look-ups find their events on the same index pages.
 */
const eventOf = ({ program }: Literals, movementId: string): string =>
  `left join lateral ${eventWithId(program, movementId)} e on true`;

/**
 * Marks the position of the cardholder's name, which only the vault can open. No text of the product contains this
 * character.
 */
export const NAME_MARK = '\u0001';

/** Who approved, where it was not Emboss. */
const DECIDED = `
               case e.data #>> '{decision,source}'
                 when 'merchant' then ', approved by the merchant in ' || (e.data #>> '{decision,duration_ms}') || ' ms'
                 when 'stand_in' then ', approved in place of the merchant: ' || (e.data #>> '{decision,outcome}')
                 when 'network' then ', approved by the network'
                 else '' end`;

function movementsQuery(l: Literals): string {
  const master = account('master');
  return `
    select ${time('m.created_at')} as event_time, coalesce(e.event_name, m.code) as event,
           e.data ->> 'transaction_id' as transaction_id,
           ${text(`(e.data ->> 'external_transaction_id')`)} as external_transaction_id,
           e.card_id, r.last_four, chr(${NAME_MARK.charCodeAt(0)}) || e.card_id as cardholder_name,
           ${text(`(e.data -> 'merchant' ->> 'name')`)} as merchant_name, e.data -> 'merchant' ->> 'mcc' as mcc,
           e.data ->> 'channel' as channel,
           case when e.id is null then ${l.currency} else e.data ->> 'currency' end as currency,
           case when e.id is null then (${money('abs(m.delta)', l)})::text else e.data ->> 'amount' end as amount,
           ${l.currency} as bill_currency,
           case when e.id is null then (${money('abs(m.delta)', l)})::text else e.data ->> 'bill_amount' end
             as bill_amount,
           e.data ->> 'fx_fee' as fx_fee, e.data ->> 'atm_fee' as atm_fee,
           case coalesce(e.event_name, m.code)
             when 'authorization' then
               case when m.delta > 0 then 'Hold lowered' else 'Hold for a purchase' end || ${DECIDED}
             when 'authorization.declined' then 'Hold released: declined by the network'
             when 'authorization.reversal' then 'Hold released: reversed'
             when 'authorization.expired' then 'Hold released: expired'
             when 'authorization.clearing' then
               case when m.delta < 0 then 'Cleared more than was held' else 'Cleared: rest of the hold released' end
             when 'authorization.increment' then 'Hold raised' || ${DECIDED}
             when 'authorization.clearing.reversal' then 'Clearing reversed'
             when 'refund' then 'Refund'
             when 'refund.reversal' then 'Refund reversed'
             when 'funding' then 'Funding of the master account'
             when 'withdrawal' then 'Withdrawal from the master account'
             else m.code end as description,
           ${money('greatest(m.delta, 0)', l)} as "in", ${money('greatest(-m.delta, 0)', l)} as "out",
           ${money('m.balance', l)} as balance
    from (
      select t.id, t.movement_id, t.code, t.created_at, s.delta,
             o.balance_minor + sum(s.delta) over (order by t.id rows unbounded preceding) as balance
      from ${transfers(l)}
      cross join lateral (
        select case when t.credit_account_id = ${master} then t.amount_minor else -t.amount_minor end as delta) s
      cross join (select ${openingBalanceOf(l.program, master, l.firstDay)} as balance_minor) o
      where (t.debit_account_id = ${master} or t.credit_account_id = ${master})) m
    ${eventOf(l, 'm.movement_id')}
    ${withLastFour(l)}
    order by m.id`;
}

/** The last four digits of the number that was used for the event's transaction, as `r.last_four`. */
function withLastFour({ program }: Literals): string {
  const transactionId = "(e.data ->> 'transaction_id')::uuid";
  return `
    left join lateral (
      select coalesce(
        ${credentialOf(program, transactionId)},
        -- The transaction is archived: use the credential that the card had at that time.
        ${credentialAt(program, 'e.card_id', transactionId)}) as credential_id) p on true
    left join lateral ${lastFourOf(program, 'p.credential_id')} r on true`;
}

/** The amount that a transfer adds to an account; negative if it takes money from the account. */
const gain = (name: keyof typeof ACCOUNTS): string =>
  `case when t.credit_account_id = ${account(name)} then t.amount_minor
        when t.debit_account_id = ${account(name)} then -t.amount_minor end`;

const touches = (...names: Array<keyof typeof ACCOUNTS>): string => {
  const ids = names.map(account).join(', ');
  return `(t.credit_account_id in (${ids}) or t.debit_account_id in (${ids}))`;
};

function feesQuery(l: Literals): string {
  const fx = gain('fxRevenue');
  return `
    select f.id as fee_id, ${time('f.created_at')} as event_time, e.data ->> 'transaction_id' as transaction_id,
           e.card_id, case when f.fx is null then 'ATM' else 'FX' end as type,
           case when f.fx is not null then (e.data ->> 'fx_fee_bps')::integer * 0.01 end as rate,
           ${money('coalesce(f.fx, f.atm)', l)} as amount, ${l.currency} as currency
    from (
      select t.id, t.movement_id, t.created_at, ${fx} as fx, ${gain('atmRevenue')} as atm
      from ${transfers(l)} where ${touches('fxRevenue', 'atmRevenue')}) f
    ${eventOf(l, 'f.movement_id')}
    order by f.id`;
}

/** What the network clears, as SQL of its word in reports. Without a card, the event says what it was. */
const PRESENTED = {
  'authorization.clearing': "'clearing'",
  'authorization.clearing.reversal': "'clearing_reversal'",
  refund: "'refund'",
  'refund.reversal': "'refund_reversal'",
  'settlement.unmatched': "e.data ->> 'kind'",
  'settlement.unmatched.reversal': "(e.data ->> 'kind') || '_reversal'",
};
const PRESENTED_WORD = `case e.event_name ${Object.entries(PRESENTED)
  .map(([name, word]) => `when '${name}' then ${word}`)
  .join(' ')} end`;
const IS_PRESENTED = `e.event_name in (${Object.keys(PRESENTED)
  .map((name) => `'${name}'`)
  .join(', ')})`;

/** An amount of the event; negative where money comes back to the program. */
const signed = (field: string): string =>
  `case when ${PRESENTED_WORD} in ('refund', 'clearing_reversal') then '-' else '' end || (e.data ->> '${field}')`;

/** The sums of some accounts by movement, as `m`. */
const sumsOf = (l: Literals, names: ReadonlyArray<keyof typeof ACCOUNTS>): string => `
  (select t.movement_id, ${names.map((name) => `coalesce(sum(${gain(name)}), 0) as "${name}"`).join(', ')}
   from ${transfers(l)} where ${touches(...names)} group by t.movement_id) m`;

function transactionFeesQuery(l: Literals): string {
  const FEES = ['interchangeRevenue', 'fxRevenue', 'atmRevenue', 'transactionCost'] as const;
  const fee = (name: (typeof FEES)[number]) => `coalesce(m."${name}", 0)`;
  return `
    select ${time('e.created_at')} as event_time, e.data ->> 'transaction_id' as transaction_id, e.card_id,
           e.event_name as event, e.data ->> 'channel' as channel, e.data ->> 'currency' as currency,
           ${signed('amount')} as amount, ${l.currency} as bill_currency, ${signed('bill_amount')} as bill_amount,
           (e.data ->> 'currency' <> ${l.currency})::text as is_fx,
           ${money(fee('interchangeRevenue'), l)} as interchange_revenue, ${money(fee('fxRevenue'), l)} as fx_revenue,
           ${money(fee('atmRevenue'), l)} as atm_revenue, ${money(`-${fee('transactionCost')}`, l)} as transaction_cost,
           ${money(FEES.map(fee).join(' + '), l)} as net
    from ${eventsBetween(l.program, l.from, l.below, 'transaction')}
    left join ${sumsOf(l, FEES)} on m.movement_id = e.id
    where ${IS_PRESENTED} or m.movement_id is not null
    order by e.id`;
}

/** One row for each clearing, each refund and each of their reversals: together, the change of the settlement account. */
function settlementQuery(l: Literals): string {
  // A reversal may come weeks later, and is found by the same reference.
  const kind = "case when e.event_name like 'refund%' then 'refund' else 'clearing' end";
  const arn = `
           case when e.event_name like 'settlement%' then e.data ->> 'arn'
                when e.data ? 'reverses' then ${arnOf(l.program, kind, "e.data ->> 'reverses'")}
                else e.data #>> '{network,arn}' end`;
  return `
    select ${time('e.created_at')} as event_time, ${PRESENTED_WORD} as event,
           ${text(`(e.data ->> 'message_id')`)} as network_id, ${text(`(e.data ->> 'reverses')`)} as reverses,
           e.data ->> 'transaction_id' as transaction_id,
           ${text(`(e.data ->> 'external_transaction_id')`)} as external_transaction_id, ${text('a.arn')} as arn,
           e.data #>> '{network,settlement_date}' as settlement_date, e.card_id, r.last_four,
           ${text(`(e.data -> 'merchant' ->> 'name')`)} as merchant_name, e.data -> 'merchant' ->> 'mcc' as mcc,
           e.data ->> 'channel' as channel, e.data ->> 'currency' as currency, ${signed('amount')} as amount,
           ${l.currency} as bill_currency, ${signed('bill_amount')} as bill_amount,
           ${money('coalesce(m."interchangeRevenue", 0)', l)} as interchange
    from ${eventsBetween(l.program, l.from, l.below, 'transaction', 'settlement')}
    left join ${sumsOf(l, ['interchangeRevenue'])} on m.movement_id = e.id
    cross join lateral (select ${arn} as arn) a
    ${withLastFour(l)}
    where ${IS_PRESENTED}
    order by e.id`;
}

/** The movement id of an issuance fee is the card's id; monthly charges name their card in `maintenance_charges`. */
function otherFeesQuery(l: Literals): string {
  return `
    select ${time('f.created_at')} as event_time, c.id as card_id, f.code as event, c.card_type,
           ${money('f.cost', l)} as amount, ${l.currency} as currency
    from (
      select t.id, t.movement_id, t.code, t.created_at,
             -coalesce(${gain('issuanceCost')}, ${gain('maintenanceCost')}) as cost
      from ${transfers(l)} where ${touches('issuanceCost', 'maintenanceCost')}) f
    left join ${chargesIn(l.program, l.firstDay)} k on k.movement_id = f.movement_id
    left join lateral ${cardWithId(l.program, 'coalesce(k.card_id, f.movement_id)')} c on true
    order by f.id`;
}

const QUERIES: Record<FileType, (l: Literals) => string> = {
  daily: movementsQuery,
  monthly: movementsQuery,
  fee: feesQuery,
  settlement: settlementQuery,
  dailyTransactionFee: transactionFeesQuery,
  monthlyTransactionFees: transactionFeesQuery,
  monthlyNonTransactionFees: otherFeesQuery,
};
