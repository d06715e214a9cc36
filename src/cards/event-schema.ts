import { type TSchema, Type } from 'typebox';
import { documentEvents, sequence } from '../events/schema.ts';
import { nullable } from '../http/schemas.ts';
import { CARD_PARTS } from './change-card.ts';
import { EXAMPLE_DETAILS } from './examples.ts';
import { RENEW_OPTIONS } from './renewal.ts';
import { CardDetails } from './schema.ts';

const { cardType, lastFour, cardDesign, metadata } = CardDetails.properties;

const cardFields = {
  cardId: Type.String(),
  sequence,
  cardType,
  status: Type.Enum(['ACTIVE', 'FROZEN', 'BLOCKED', 'EXPIRED'], { description: 'Status after the event.' }),
  statusReason: nullable(Type.String(), 'Why the card was frozen or blocked.'),
  lastFour,
  expiryDate: Type.String({ format: 'date', examples: ['2029-11-15'] }),
  cardDesign,
  metadata,
};
const CardEventData = Type.Object(cardFields, { title: 'CardEventData' });
const CreatedEventData = Type.Object(
  {
    ...cardFields,
    replaces: Type.Optional(
      Type.String({ description: 'Id of the blocked card. Only if the card was issued as a replacement.' }),
    ),
  },
  { title: 'CardCreatedEventData' },
);
const ReissueEventData = Type.Object(
  { ...cardFields, renewOption: Type.Enum([...RENEW_OPTIONS]) },
  { title: 'CardReissuedEventData' },
);

const UpdatedEventData = Type.Object(
  {
    ...cardFields,
    changed: Type.Array(Type.Enum([...CARD_PARTS]), { description: 'What changed.' }),
    fields: Type.Array(Type.String(), {
      description:
        'The names of the changed fields, as the API names them; of `metadata`, the changed keys. Not their values: request the card to read them.',
      examples: [['dailyLimit', 'blockedMccs']],
    }),
  },
  { title: 'CardUpdatedEventData' },
);

const example = (status: string, more: Record<string, unknown> = {}) => ({
  cardId: EXAMPLE_DETAILS.id,
  sequence: 2,
  cardType: EXAMPLE_DETAILS.cardType,
  status,
  statusReason: null,
  lastFour: EXAMPLE_DETAILS.lastFour,
  expiryDate: EXAMPLE_DETAILS.expiryDate,
  cardDesign: EXAMPLE_DETAILS.cardDesign,
  metadata: EXAMPLE_DETAILS.metadata,
  ...more,
});

const cardEvent = (
  title: string,
  summary: string,
  exampleData: Record<string, unknown>,
  data: TSchema = CardEventData,
) => ({ title, summary, data, exampleData });

export const CARD_EVENTS = documentEvents('card', {
  'card.created': cardEvent(
    'CardCreatedEvent',
    'A card was created',
    example('ACTIVE', { sequence: 1 }),
    CreatedEventData,
  ),
  'card.updated': cardEvent(
    'CardUpdatedEvent',
    "A card's spend controls, contact, balance, forwarding, metadata or usage changed",
    example('ACTIVE', { changed: ['spend_controls'], fields: ['dailyLimit', 'blockedMccs'] }),
    UpdatedEventData,
  ),
  'card.frozen': cardEvent('CardFrozenEvent', 'A card was frozen', example('FROZEN')),
  'card.unfrozen': cardEvent('CardUnfrozenEvent', 'A card was unfrozen', example('ACTIVE', { sequence: 3 })),
  'card.blocked': cardEvent(
    'CardBlockedEvent',
    'A card was permanently blocked',
    example('BLOCKED', { statusReason: 'stolen' }),
  ),
  'card.reissued': cardEvent(
    'CardReissuedEvent',
    'A card was reissued',
    example('ACTIVE', { renewOption: 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE' }),
    ReissueEventData,
  ),
  'card.expired': cardEvent('CardExpiredEvent', 'A card passed its expiry date', example('EXPIRED')),
});
