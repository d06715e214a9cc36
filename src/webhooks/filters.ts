import { Type } from 'typebox';
import type { Bind } from '../db/bind.ts';
import { ofCard, withDelivery, withIds, withText } from '../events/filter-queries.ts';
import { rule } from '../http/schemas.ts';
import { invalid } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import type { Filters } from '../lists/filters.ts';

const name = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[a-z_.]{1,60}$',
      ...rule('must be a name such as card.created'),
      description,
      examples: [example],
    }),
  );
const id = (description: string) => Type.Optional(Type.String({ maxLength: 36, description }));

const checkedId = (given: string, field: string, what: string): string => {
  if (isId(given)) return given;
  throw invalid(field, `must be a ${what} id`);
};

/** SQL of the ids of the events of a transaction, and of a card's transactions, as an array. Null: too many. */
export type EventIdsOf = Record<'transaction' | 'card', (id: string, bind: Bind, program: string) => string>;

export const eventFilters = (eventIdsOf: EventIdsOf): Filters<unknown> => ({
  transactionId: {
    schema: id('Id of the transaction.'),
    index: 'events_pkey',
    read: (given, field) => {
      const transactionId = checkedId(given, field, 'transaction');
      return withIds((bind, program) => eventIdsOf.transaction(transactionId, bind, program));
    },
  },
  cardId: {
    schema: id('Id of the card.'),
    index: 'events_card',
    read: (given, field) => {
      const cardId = checkedId(given, field, 'card');
      return ofCard(cardId, (bind, program) => eventIdsOf.card(cardId, bind, program));
    },
  },
  status: {
    schema: Type.Optional(
      Type.Enum(['PENDING', 'DELIVERED', 'FAILED'], { description: 'Status of any of its deliveries.' }),
    ),
    index: 'webhook_deliveries_undelivered',
    read: (given) => withDelivery(given as 'PENDING'),
  },
  eventType: {
    schema: name('Type of the event.', 'card'),
    index: null,
    read: (given) => withText('event_type', given),
  },
  eventName: {
    schema: name('Name of the event.', 'card.created'),
    index: null,
    read: (given) => withText('event_name', given),
  },
});
