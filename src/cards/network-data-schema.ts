import { Type } from 'typebox';
import { nullable, rule } from '../http/schemas.ts';
import { EXEMPTIONS } from '../programs/program.ts';
import { ENTRY_MODES, INITIATORS } from './network-data.ts';
import { decimal } from './network-schema.ts';

/** The networks' vocabularies grow, so a word that we do not know is no error. */
const word = (words: readonly string[], description: string) =>
  Type.Optional(
    nullable(
      Type.String({ examples: [words[0]] }),
      `${description}: ${words.join(', ')}. Another word is kept as null.`,
    ),
  );
const text = (description: string, example: string) =>
  Type.Optional(nullable(Type.String({ examples: [example] }), description));
const yes = (description: string) => Type.Optional(nullable(Type.Boolean(), description));

/** In the body of authorizations and increments. */
export const messageData = {
  initiator: word(INITIATORS, 'Who began the payment'),
  recurring: yes('Whether it is one of a series, such as a subscription.'),
  entry_mode: word(ENTRY_MODES, 'How the card was read'),
  exemption: word(EXEMPTIONS, 'Why the cardholder was not authenticated'),
  token_requestor: text('The wallet whose token was used.', 'wallet-1'),
  terminal_id: text('The terminal.', 'T-0042'),
  retrieval_reference: text(
    'The reference by which acquirer and network find the message again.',
    '632415000042',
  ),
  acquirer_country: Type.Optional(
    Type.Union([Type.String(), Type.Integer(), Type.Null()], {
      description: 'ISO 3166-1: alpha-2, alpha-3 or numeric. Kept as alpha-3; null if unknown.',
    }),
  ),
  cash_back_amount: Type.Optional(
    nullable(decimal('Cash that was paid out with the purchase, as a part of `amount`.')),
  ),
  pre_authorization: yes('Whether the amount is an estimate: the hold lasts as long as one for lodging.'),
};

/** In the body of clearings and refunds. */
export const presentedData = {
  ...messageData,
  arn: text('The reference of the acquirer.', '24692166324100000000042'),
  settlement_date: text('The day on which the network settles it, as YYYY-MM-DD.', '2026-11-17'),
  interchange_amount: Type.Optional(
    nullable(
      Type.String({
        pattern: '^-?\\d{1,24}(\\.\\d{1,12})?$',
        ...rule('must be a decimal, such as "-0.15"'),
        examples: ['0.15'],
      }),
      "What the program earns, in the card's currency; below zero, what it pays. It replaces the interchange of the fee schedule.",
    ),
  ),
};

/** In responses and events. */
export const MessageData = Type.Object(
  { ...presentedData, acquirer_country: text('ISO 3166-1 alpha-3.', 'DEU') },
  {
    title: 'MessageData',
    description: 'What the network said beside what it decided and moved. Only the fields that it gave.',
  },
);
