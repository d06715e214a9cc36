import type { Day } from '../kernel/calendar.ts';
import type { Filtered } from '../lists/filter-queries.ts';
import type { CardStatus, CardType } from './card.ts';
import { CARD_LIST } from './queries.ts';

/** The conditions on a card. Undefined: any value. */
export interface CardFilters {
  status?: CardStatus | undefined;
  cardType?: CardType | undefined;
  designId?: string | undefined;
}

/** For a larger query: the expiry date of a card `t`. A scalar look-up: a join could be planned as a scan of all credentials. */
export const expiryOf = (program: string): string => `(select k.expiry_date from credentials k
  where k.program_id = ${program} and k.id = t.credential_id order by k.created_at limit 1)`;

/** For a larger query: the status of a card `t` on a day. Arguments are SQL. */
export const statusOfCard = (program: string, today: string): string =>
  `case when t.status <> 'BLOCKED' and ${expiryOf(program)} < ${today} then 'EXPIRED' else t.status end`;

/** The cards that match. `today` decides which are expired. */
export const cardsMatching = ({ status, cardType, designId }: CardFilters, today: Day): Filtered => ({
  ...CARD_LIST,
  lead:
    status === undefined || status === 'EXPIRED'
      ? undefined
      : { column: 'status', value: (bind) => bind(status, 'text') },
  conditions: (bind, program) => [
    ...(cardType === undefined ? [] : [`t.card_type = ${bind(cardType, 'text')}`]),
    ...(designId === undefined ? [] : [`t.design_id = ${bind(designId, 'text')}`]),
    ...(status === 'EXPIRED'
      ? [`t.status <> 'BLOCKED' and ${expiryOf(program)} < ${bind(today, 'date')}`]
      : []),
    ...(status === 'ACTIVE' || status === 'FROZEN' ? [`${expiryOf(program)} >= ${bind(today, 'date')}`] : []),
  ],
});
