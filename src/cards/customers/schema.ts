import { Type } from 'typebox';
import { PageQuery } from '../../http/paging.ts';
import { EXAMPLE_CARD, EXAMPLE_CARD_ANSWER } from '../examples.ts';
import { Card, CardDetails, FreezeBody } from '../schema.ts';
import { MOST_CARDS } from './find-customer.ts';
import { MOST_COUNTED } from './list-customers.ts';

const id = Type.String({ description: 'The `meta.id` of the cards.', examples: ['customer-42'] });
const created = Type.String({
  description: 'When the first card was created.',
  examples: ['2026-11-15T08:30:00+0000'],
});

export const CustomersQuery = Type.Object({
  ...PageQuery.properties,
  id: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Only the customer with this `meta.id`.',
      examples: ['customer-42'],
    }),
  ),
});

export const CustomerPath = Type.Object({
  customerId: Type.String({ description: 'The `meta.id`, percent-encoded.' }),
});

export const Customer = Type.Object(
  {
    id,
    cards: Type.Integer({
      description: `The number of cards. At most the newest ${MOST_COUNTED} are counted.`,
      examples: [2],
    }),
    activeCards: Type.Integer({ description: 'How many of them are ACTIVE.', examples: [1] }),
    created,
  },
  { title: 'Customer' },
);

const { id: _id, ...contactFields } = CardDetails.properties.meta.properties;

const total = (description: string, example: number) => Type.Number({ description, examples: [example] });

export const CustomerDetails = Type.Object(
  {
    id,
    created,
    currency: Type.String({ description: 'Of the totals: the currency of the program.', examples: ['EUR'] }),
    cards: Type.Array(Card, { description: `Newest first, at most ${MOST_CARDS}.` }),
    moreCards: Type.Boolean({ description: 'Whether there are older cards. The totals include them.' }),
    contact: Type.Object(contactFields, {
      title: 'CustomerContact',
      description: 'The contact of the newest card.',
    }),
    totals: Type.Object(
      {
        held: total('Approved and not yet cleared, without fees.', 40),
        cleared: total('Cleared, less what the network took back.', 120.5),
        refunded: total('Refunded, less what the network took back.', 20),
        availableCredit: total('The sum of the available credit of the cards.', 359.5),
      },
      { title: 'CustomerTotals', description: 'Over all cards, whatever their status.' },
    ),
  },
  { title: 'CustomerDetails' },
);

export const CustomerFreezeBody = Type.Object(FreezeBody.properties, { title: 'FreezeCustomerRequest' });

export const FrozenCards = Type.Object(
  {
    cards: Type.Array(Type.Object({ id: Type.String(), status: Card.properties.status }), {
      description: 'All cards of the customer, newest first, as they are now.',
    }),
  },
  { title: 'FreezeCustomerResponse' },
);

export const EXAMPLE_CUSTOMER = {
  id: EXAMPLE_CARD_ANSWER.externalCustomerId,
  cards: 2,
  activeCards: 1,
  created: EXAMPLE_CARD_ANSWER.created,
};

const { id: _, ...contact } = EXAMPLE_CARD.meta;
const { id: customerId, created: firstCreated } = EXAMPLE_CUSTOMER;
export const EXAMPLE_CUSTOMER_DETAILS = {
  ...{ id: customerId, created: firstCreated, currency: EXAMPLE_CARD_ANSWER.currency },
  cards: [EXAMPLE_CARD_ANSWER],
  moreCards: false,
  contact: { ...contact, email: null },
  totals: { held: 40, cleared: 120.5, refunded: 20, availableCredit: 109.5 },
};
