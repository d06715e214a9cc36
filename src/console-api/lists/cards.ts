import { Type } from 'typebox';
import { type CardHolder, type CardStatus, type CardType, presentCard } from '../../cards/card.ts';
import { EXAMPLE_CARD_ANSWER } from '../../cards/examples.ts';
import { cardsMatching } from '../../cards/filter-queries.ts';
import { findCards } from '../../cards/queries.ts';
import { Card } from '../../cards/schema.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { invalid } from '../../kernel/error.ts';
import { isCleanText } from '../../kernel/text.ts';
import { type ConsoleList, inOrder } from './list.ts';
import type { RangeQuery } from './range.ts';

interface CardQuery extends RangeQuery {
  status?: CardStatus;
  type?: CardType;
  design?: string;
}

export const CARDS: ConsoleList<CardQuery> = {
  path: 'cards',
  exported: 'console.exported_cards',
  name: 'Cards',
  filters: {
    status: Type.Optional(Type.Enum(['ACTIVE', 'FROZEN', 'BLOCKED', 'EXPIRED'])),
    type: Type.Optional(Type.Enum(['physical', 'virtual'])),
    design: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Id of the card design.' }),
    ),
  },
  refusal: 'type: must be one of physical, virtual',
  row: Card,
  example: EXAMPLE_CARD_ANSWER,
  match: (actor, { status, type, design }) => {
    if (!isCleanText(design ?? '')) throw invalid('design', 'must not contain control characters');
    return cardsMatching({ status, cardType: type, designId: design }, dayOf(actor.now()));
  },
  read: async ({ db, vault }, actor, ids) => {
    const { id: programId } = actor.program;
    const [records, holders] = await Promise.all([
      findCards(db, programId, ids),
      vault.openRecords(db, programId, 'holder', ids),
    ]);
    return inOrder(ids, records, ({ id }) => id).map((record) =>
      presentCard(record, holders.get(record.id) as CardHolder, actor.now()),
    );
  },
};
