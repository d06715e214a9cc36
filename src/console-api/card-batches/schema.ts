import { type Static, Type } from 'typebox';
import { EXAMPLE_CARD } from '../../cards/examples.ts';
import { nullable } from '../../http/schemas.ts';

/** A text of several lines would be refused, as any text with control characters. */
export const CardCsvBody = Type.Object(
  {
    lines: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 10_000,
      description: 'The lines of a CSV file. The first one names the fields: `kyc.dob`.',
    }),
  },
  { title: 'ConsoleCardCsvRequest', examples: [{ lines: ['cardType', 'virtual'] }] },
);

const CardCsvRow = Type.Object(
  {
    line: Type.Integer({ description: 'Where the row begins, from 1.' }),
    cells: Type.Array(Type.String()),
    card: Type.Unsafe<Record<string, unknown>>(
      Type.Object({}, { additionalProperties: true, description: 'The create body of the row.' }),
    ),
    error: nullable(
      Type.Object(
        { field: nullable(Type.String()), message: Type.String() },
        { title: 'ConsoleCardCsvError' },
      ),
      'What is wrong with the row in itself. The KYC provider is not called.',
    ),
  },
  { title: 'ConsoleCardCsvRow' },
);

export const CardCsv = Type.Object(
  { columns: Type.Array(Type.String()), rows: Type.Array(CardCsvRow) },
  { title: 'ConsoleCardCsv' },
);
export type CardCsv = Static<typeof CardCsv>;

export const EXAMPLE_CARD_CSV: CardCsv = {
  columns: ['meta.id', 'kyc.firstName'],
  rows: [{ line: 2, cells: ['customer-42', 'Ada'], card: EXAMPLE_CARD, error: null }],
};
