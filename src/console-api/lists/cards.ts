import { type Static, Type } from 'typebox';
import { type CardHolder, presentCard } from '../../cards/card.ts';
import { findLastUses } from '../../cards/counter-queries.ts';
import { EXAMPLE_CARD_ANSWER } from '../../cards/examples.ts';
import { CARD_FILTERS } from '../../cards/filters.ts';
import { CARD_LIST, findCards } from '../../cards/queries.ts';
import { Card, CardDetails } from '../../cards/schema.ts';
import { nullable } from '../../http/schemas.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { amountToNumber } from '../../kernel/money.ts';
import { findBalances } from '../../ledger/queries.ts';
import { type ConsoleList, inOrder } from './list.ts';

/** A card with what operators look for in a list. */
const FoundCard = Type.Object(
  {
    ...Card.properties,
    availableCredit: CardDetails.properties.availableCredit,
    expiryDate: CardDetails.properties.expiryDate,
    lastUsed: nullable(
      Type.String({ examples: ['2026-11-15T08:32:00+0000'] }),
      'Time of its newest transaction, approved or declined.',
    ),
  },
  { title: 'FoundCard' },
);

const { status, cardType: type, cardDesign: design } = CARD_FILTERS;

export const CARDS: ConsoleList = {
  path: 'cards',
  exported: 'console.exported_cards',
  name: 'Cards',
  list: CARD_LIST,
  filters: { status, design, type },
  refusal: 'type: must be one of physical, virtual',
  row: FoundCard,
  example: {
    ...EXAMPLE_CARD_ANSWER,
    availableCredit: 120.5,
    expiryDate: '2029-11-30',
    lastUsed: '2026-11-15T08:32:00+0000',
  },
  read: async ({ db, vault }, actor, ids) => {
    const { id: programId } = actor.program;
    const [records, holders, balances, lastUses] = await Promise.all([
      findCards(db, programId, ids),
      vault.openRecords(db, programId, 'holder', ids),
      findBalances(db, programId, ids),
      findLastUses(db, programId, ids),
    ]);
    return inOrder(ids, records, ({ id }) => id).map((record): Static<typeof FoundCard> => {
      const lastUsed = lastUses.get(record.id);
      return {
        ...presentCard(record, holders.get(record.id) as CardHolder, actor.now()),
        availableCredit: amountToNumber(balances.get(record.id) ?? 0n, record.currency),
        expiryDate: record.expiryDate,
        lastUsed: lastUsed ? formatTimestamp(lastUsed) : null,
      };
    });
  },
};
