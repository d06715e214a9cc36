import type { NetworkData } from '../../cards/network-data.ts';
import type { Acceptor } from '../../cards/read-network.ts';
import { column } from '../../db/columns.ts';
import type { Queryable } from '../../db/database.ts';
import type { EventName } from '../../events/names.ts';
import { eventWithId, transactionEventsAfter } from '../../events/queries.ts';
import { HIGHEST_ID } from '../../kernel/ids.ts';
import type { DeclineReason } from '../core/decline.ts';
import type { TransactionRecord } from '../core/transaction.ts';

/** An event of a transaction, with what of the transaction no message changes after its authorization. */
export interface PastEvent
  extends Pick<TransactionRecord, 'kind' | 'type' | 'fxFeeBps' | 'atmFeeMinor' | 'channel'> {
  id: string;
  eventName: string;
  cardId: string;
  transactionId: string;
  /** It made the transaction. */
  isFirst: boolean;
  externalTransactionId: string;
  messageId: string;
  billAmount: string;
  currency: string;
  /** Null: all of it was approved. */
  requestedAmount: string | null;
  takenAmount: string;
  merchant: Acceptor | null;
  network: NetworkData | null;
  authenticated: boolean;
  cvvGiven: true | null;
  declineReason: DeclineReason | null;
  isAdvice: boolean;
  /** Of a reversal: the id of what it takes back. */
  reverses: string | null;
  /** A clearing that was marked as the last one. */
  final: boolean;
  /** The rule that declined it. */
  ruleId: string | null;
}

const COLUMNS = `
  e.id, e.event_name, e.card_id, t.id as transaction_id, t.event_ids[1] = e.id as is_first, t.kind, t.type, t.fx_fee_bps, t.atm_fee_minor, t.cvv_given,
  e.data ->> 'external_transaction_id' as external_transaction_id, e.data ->> 'message_id' as message_id,
  e.data ->> 'bill_amount' as bill_amount, e.data ->> 'currency' as currency,
  e.data ->> 'requested_amount' as requested_amount, e.data ->> 'taken_amount' as taken_amount,
  e.data ->> 'channel' as channel, nullif(e.data -> 'merchant', 'null') as merchant,
  nullif(e.data -> 'network', 'null') as network,
  e.data ? 'authentication' and e.data #>> '{authentication,reason}' is null as authenticated,
  e.data ->> 'decline_reason' as decline_reason,
  e.event_name = 'authorization.clearing' and (
    select p.final from presentments p
    where p.program_id = $1 and p.kind = 'clearing' and p.message_id = e.data ->> 'message_id' limit 1) as final,
  coalesce(e.data #>> '{decision,source}' = 'network', false) as is_advice, e.data ->> 'reverses' as reverses,
  jsonb_path_query_first(e.data,
    '$.rules[*] ? (@.effect == "DECLINED" || @.effect == "AUTHENTICATION_REQUIRED").rule_id') #>> '{}' as rule_id`;

const TRANSACTION = `(
  select * from transactions where program_id = $1 and id = (e.data ->> 'transaction_id')::uuid limit 1) t`;

const listing =
  (name: string, ...names: EventName<'transaction'>[]) =>
  (db: Queryable, programId: string, afterId: string, belowId: string, limit: number): Promise<PastEvent[]> =>
    db.query<PastEvent & Record<string, unknown>>(
      {
        name,
        text: `select ${COLUMNS} from ${transactionEventsAfter('$1', '$2', '$3', '$4', names)}
               cross join lateral ${TRANSACTION} order by e.id`,
      },
      [programId, afterId, belowId, limit],
    );

/** The first events of transactions after one id and below another, oldest first. */
export const listPastEvents = listing('list_past_events');

/** The same of what rules are asked about. */
export const listPastAttempts = listing(
  'list_past_attempts',
  'authorization',
  'authorization.declined',
  'authorization.increment',
);

/** The events of transactions, each below an id of its own, oldest first. */
export const listEarlierEvents = (
  db: Queryable,
  programId: string,
  belowIds: ReadonlyMap<string, string>,
): Promise<PastEvent[]> =>
  db.query<PastEvent & Record<string, unknown>>(
    {
      name: 'list_earlier_events',
      text: `select ${COLUMNS} from (select unnest($2::uuid[]) as id, unnest($3::uuid[]) as below_id) wanted
             cross join lateral (
               select * from transactions where program_id = $1 and id = wanted.id limit 1) t
             cross join lateral unnest(t.event_ids) as named (id)
             cross join lateral ${eventWithId('$1', 'named.id')} e
             where named.id < wanted.below_id order by e.id`,
    },
    [programId, column([...belowIds.keys()]), column([...belowIds.values()])],
  );

/** The first events of transactions after an id, oldest first. */
export const listChangedAfter = (
  db: Queryable,
  programId: string,
  afterId: string,
  limit: number,
): Promise<Array<{ id: string; transactionId: string }>> =>
  db.query(
    {
      name: 'list_changed_transactions',
      text: `select e.id, (e.data ->> 'transaction_id')::uuid as transaction_id
             from ${transactionEventsAfter('$1', '$2', '$3', '$4')} order by e.id`,
    },
    [programId, afterId, HIGHEST_ID, limit],
  );
