import { type Static, Type } from 'typebox';
import { EXAMPLE_CARD, EXAMPLE_CARD_ANSWER } from '../../cards/examples.ts';
import { Card, CardDetails } from '../../cards/schema.ts';
import { nullable, rule } from '../../http/schemas.ts';
import { before, next, ProgramPath, text, timestamp } from '../console-schema.ts';
import { EXAMPLE_ENTRY, HistoryEntry } from '../history/schema.ts';
import { SearchQuery } from '../search/schema.ts';
import { PARTS } from '../timeline/read-timeline.ts';
import { EXAMPLE_AUTHENTICATION, EXAMPLE_DETAIL } from '../transactions/examples.ts';
import { AuthenticationDetail, TransactionDetail } from '../transactions/schema.ts';

export const CustomerPath = Type.Object({
  ...ProgramPath.properties,
  customerId: Type.String({ description: "The customer's `meta.id`." }),
});
export const NotePath = Type.Object({
  ...CustomerPath.properties,
  noteId: Type.String({ description: 'Note id.' }),
});

export const NoteBody = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 2_000,
      pattern: '\\S',
      ...rule('must not be empty'),
      examples: ['Travels in March; asked for a second card.'],
    }),
  },
  { title: 'CustomerNoteRequest' },
);

export const Note = Type.Object(
  { id: text, text, author: text, authorId: text, created: timestamp() },
  { title: 'CustomerNote' },
);

const amount = (description: string) => Type.Number({ description, examples: [250] });
const sums = {
  availableCredit: amount('In the currency of the program.'),
  spentThisMonth: amount('Approved and not reversed, in this UTC month.'),
  spent: amount('Approved and not reversed, in all.'),
};
const STATUSES = ['ACTIVE', 'FROZEN', 'BLOCKED', 'EXPIRED'] as const;

export const Customer = Type.Object(
  {
    id: text,
    name: Type.String({ description: 'Cardholder name of the newest card.' }),
    currency: text,
    contact: Type.Object(
      {
        otpPhoneNumber: CardDetails.properties.meta.properties.otpPhoneNumber,
        email: CardDetails.properties.meta.properties.email,
      },
      { description: 'Contact of the newest card.' },
    ),
    cards: Type.Array(
      Type.Object(
        {
          ...Card.properties,
          ...sums,
          frozenWithCustomer: Type.Boolean({ description: 'Whether unfreezing the customer unfreezes it.' }),
        },
        { title: 'CustomerCard' },
      ),
      { description: 'Newest first, at most 200.' },
    ),
    more: Type.Boolean({ description: 'Whether there are more cards; the totals do not include them.' }),
    totals: Type.Object({
      ...sums,
      cards: Type.Object(Object.fromEntries(STATUSES.map((status) => [status, Type.Integer()])), {
        description: 'Number of cards by status.',
      }),
    }),
    notes: Type.Array(Note, { description: 'Newest first, at most 100.' }),
  },
  { title: 'ConsoleCustomer' },
);
export type Customer = Static<typeof Customer>;

export const ContactChanged = Type.Object(
  { cards: Type.Integer({ description: 'Number of changed cards.' }) },
  { title: 'CustomerContactChanged' },
);

export const CustomersQuery = Type.Object({
  q: Type.Optional({
    ...SearchQuery.properties.q,
    description: 'Words of a name, an e-mail, a phone number or a customer id (`meta.id`).',
  }),
  before,
});

export const Customers = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: "The customer's `meta.id`." }),
          name: Type.String({ description: 'Cardholder name of the newest card.' }),
          cards: Type.Integer({ description: 'Number of cards, at most 200.' }),
          moreCards: Type.Boolean({ description: 'Whether there are more cards.' }),
          activeCards: Type.Integer({ description: 'Of these cards.' }),
          newestCardId: text,
          lastUsed: nullable(
            timestamp('Time of the newest transaction with any of these cards, approved or declined.'),
          ),
          created: timestamp('When the first card was created.'),
        },
        { title: 'CustomerSummary' },
      ),
    ),
    next,
    more: Type.Boolean({ description: 'With `q`: whether more customers match than shown.' }),
  },
  { title: 'Customers' },
);
export type Customers = Static<typeof Customers>;

export const CustomerTimelineQuery = Type.Object({
  part: Type.Optional(Type.Enum([...PARTS], { description: 'Only these. Default: all together.' })),
  before,
});

export const CustomerTimeline = Type.Object(
  {
    transactions: Type.Array(TransactionDetail),
    authentications: Type.Array(AuthenticationDetail),
    changes: Type.Array(HistoryEntry),
    notes: Type.Array(Note),
    next,
  },
  { title: 'CustomerTimeline', description: 'All lists together are a page.' },
);

export const EXAMPLE_NOTE = {
  id: '019a85f3-0a51-7004-9f3e-5a1c2b3d4e5f',
  text: 'Travels in March; asked for a second card.',
  author: 'Grace Hopper',
  authorId: '019a85f3-0a51-7005-9f3e-5a1c2b3d4e5f',
  created: '2026-11-15T08:32:00+0000',
};
const EXAMPLE_SUMS = { availableCredit: 250, spentThisMonth: 0, spent: 0 };
export const EXAMPLE_CUSTOMER = {
  id: EXAMPLE_CARD.meta.id,
  name: EXAMPLE_CARD_ANSWER.cardholderName,
  currency: EXAMPLE_CARD_ANSWER.currency,
  contact: { otpPhoneNumber: EXAMPLE_CARD.meta.otpPhoneNumber, email: null },
  cards: [{ ...EXAMPLE_CARD_ANSWER, ...EXAMPLE_SUMS, frozenWithCustomer: false }],
  more: false,
  totals: { ...EXAMPLE_SUMS, cards: { ACTIVE: 1, FROZEN: 0, BLOCKED: 0, EXPIRED: 0 } },
  notes: [EXAMPLE_NOTE],
};
export const EXAMPLE_CUSTOMERS = {
  results: [
    {
      id: EXAMPLE_CUSTOMER.id,
      name: EXAMPLE_CUSTOMER.name,
      cards: 1,
      moreCards: false,
      activeCards: 1,
      newestCardId: EXAMPLE_CARD_ANSWER.id,
      lastUsed: '2026-11-15T08:32:00+0000',
      created: EXAMPLE_CARD_ANSWER.created,
    },
  ],
  next: null,
  more: false,
};
export const EXAMPLE_TIMELINE = {
  transactions: [EXAMPLE_DETAIL],
  authentications: [EXAMPLE_AUTHENTICATION],
  changes: [EXAMPLE_ENTRY],
  notes: [EXAMPLE_NOTE],
  next: null,
};
