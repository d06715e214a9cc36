import { Type } from 'typebox';
import { rule } from '../http/schemas.ts';
import { dayOf } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { isCleanText } from '../kernel/text.ts';
import { type Filter, pairFilter } from '../lists/filters.ts';
import type { Actor } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import type { CardStatus, CardType } from './card.ts';
import { cardholderIdsOf } from './create-card.ts';
import {
  ofCardholders,
  ofCustomersCards,
  withColumn,
  withLabel,
  withStatus,
  withType,
} from './filter-queries.ts';

export interface CardContext {
  vault: Vault;
  actor: Actor;
}

type CardFilter = Filter<CardContext>;

/** Throws a 400 for text that no stored value can have. */
export const cleanText = (given: string, field: string): string => {
  if (isCleanText(given)) return given;
  throw invalid(field, 'must not contain control characters');
};

const customerOf = (given: string, field: string, { vault, actor }: CardContext): string[] =>
  cardholderIdsOf(vault, actor.program.id, cleanText(given, field));

const customer = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: "Your customer's id, `meta.id`.",
    examples: ['customer-42'],
  }),
);

/** For the rows of a customer's cards in another list. */
export const customersCards: CardFilter = {
  schema: customer,
  index: 'cards_cardholder',
  read: (given, field, context) => ofCustomersCards(customerOf(given, field, context)),
};

export const CARD_FILTERS = {
  externalCustomerId: {
    schema: customer,
    index: 'cards_cardholder',
    read: (given, field, context) => ofCardholders(customerOf(given, field, context)),
  },
  metadata: pairFilter('card_labels_pkey', withLabel),
  lastFour: {
    schema: Type.Optional(
      Type.String({
        pattern: '^\\d{4}$',
        ...rule('must be 4 digits'),
        description: 'Of the active number.',
        examples: ['4242'],
      }),
    ),
    index: 'cards_last_four',
    read: (given) => withColumn('last_four', given),
  },
  status: {
    schema: Type.Optional(Type.Enum(['ACTIVE', 'FROZEN', 'BLOCKED', 'EXPIRED'])),
    index: 'cards_status',
    read: (given, _, { actor }) => withStatus(given as CardStatus, dayOf(actor.now())),
  },
  cardDesign: {
    schema: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Id of the card design.' }),
    ),
    index: 'cards_design',
    read: (given, field) => withColumn('design_id', cleanText(given, field)),
  },
  cardType: {
    schema: Type.Optional(Type.Enum(['physical', 'virtual'])),
    index: null,
    read: (given) => withType(given as CardType),
  },
} satisfies Record<string, CardFilter>;
