import type { Bind } from '../db/bind.ts';
import type { Day } from '../kernel/calendar.ts';
import { type Lead, labelledIn } from '../lists/filter-queries.ts';
import type { Wanted } from '../lists/filters.ts';
import type { CardStatus, CardType } from './card.ts';

/** For a larger query: the expiry date of a card `t`. A scalar look-up: a join could be planned as a scan of all credentials. */
export const expiryOf = (program: string): string => `(select k.expiry_date from credentials k
  where k.program_id = ${program} and k.id = t.credential_id order by k.created_at limit 1)`;

/** For a larger query: the status of a card `t` on a day. Arguments are SQL. */
export const statusOfCard = (program: string, today: string): string =>
  `case when t.status <> 'BLOCKED' and ${expiryOf(program)} < ${today} then 'EXPIRED' else t.status end`;

/** The cards of a status on a day. */
export function withStatus(status: CardStatus, today: Day): Wanted {
  const isOver = (bind: Bind, program: string) => `${expiryOf(program)} < ${bind(today, 'date')}`;
  const stored = (bind: Bind) => `t.status = ${bind(status, 'text')}`;
  if (status === 'EXPIRED')
    return {
      where: (bind, program) => `t.status <> 'BLOCKED' and ${isOver(bind, program)}`,
      // Those whose event is recorded, and those whose event is still due.
      leads: [
        { where: EXPIRED },
        { column: 'expiry_event_due', values: (bind, program) => duePast(program, bind(today, 'date')) },
      ],
    };
  const leads: Lead[] = [{ column: 'status', value: (bind) => bind(status, 'text') }];
  if (status === 'BLOCKED') return { where: stored, leads };
  return { where: (bind, program) => `${stored(bind)} and not ${isOver(bind, program)}`, leads };
}

const EXPIRED = `r.expiry_event_due is null and r.status <> 'BLOCKED'`;

const duePast = (
  program: string,
  today: string,
): string => `(select array_agg(distinct expiry_event_due) from cards
  where program_id = ${program} and expiry_event_due < ${today})`;

/** The cards with a value in a column that has an index. */
export const withColumn = (column: 'design_id' | 'last_four', value: string): Wanted => ({
  where: (bind) => `t.${column} = ${bind(value, 'text')}`,
  leads: [{ column, value: (bind) => bind(value, 'text') }],
  isExact: true,
});

export const withType = (cardType: CardType): Wanted => ({
  where: (bind) => `t.card_type = ${bind(cardType, 'text')}`,
});

/** The cards of a customer, whose id has one digest under each key of the search index. */
export const ofCardholders = (cardholderIds: readonly string[]): Wanted => ({
  where: (bind) => `t.cardholder_id in (${cardholderIds.map((id) => bind(id, 'uuid')).join(', ')})`,
  leads: [{ column: 'cardholder_id', values: (bind) => arrayOf(cardholderIds, bind) }],
  isExact: true,
});

/** For the rows of a customer in a table with a `card_id`. The condition is a look-up for each row: see `labelledIn`. */
export const ofCustomersCards = (cardholderIds: readonly string[]): Wanted => ({
  where: (bind, program) => `(select c.cardholder_id from cards c
    where c.program_id = ${program} and c.id = t.card_id) = any (${arrayOf(cardholderIds, bind)})`,
  leads: [
    {
      column: 'card_id',
      values: (bind, program) => `array(select c.id from cards c
        where c.program_id = ${program} and c.cardholder_id = any (${arrayOf(cardholderIds, bind)}))`,
    },
  ],
  isExact: true,
});

const arrayOf = (ids: readonly string[], bind: Bind): string =>
  `array[${ids.map((id) => bind(id, 'uuid')).join(', ')}]`;

/** The cards with a pair of metadata. */
export const withLabel = labelledIn('card_labels');
