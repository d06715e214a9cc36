import { type Static, Type } from 'typebox';
import { nullable, rule } from '../http/schemas.ts';
import { FILE_STATUSES, OUTCOMES } from './clearing-file.ts';

const FILE_ID = '^[A-Za-z0-9][\\w.:-]{0,127}$';
/** Any other text names no file. */
export const isFileId = (text: string): boolean => new RegExp(FILE_ID).test(text);

const fileId = Type.String({
  pattern: FILE_ID,
  ...rule('must be 1 to 128 letters, digits, dots, colons, hyphens and underscores'),
  description: "The network's name for the file.",
  examples: ['clr-20261117-01'],
});

export const FileQuery = Type.Object({
  file_id: fileId,
  settlement_date: Type.String({
    format: 'date',
    description: 'The day that the network settles with it.',
    examples: ['2026-11-17'],
  }),
  last: Type.Enum(['true', 'false'], {
    description: 'Whether no other file of this date follows.',
    examples: ['true'],
  }),
});
export type FileQuery = Static<typeof FileQuery>;

export const FilePath = Type.Object({
  file_id: Type.String({ description: 'The `file_id` under which it was sent.' }),
});

const amount = (description: string) => Type.String({ description, examples: ['12.50'] });

export const ClearingFile = Type.Object(
  {
    file_id: Type.String(),
    settlement_date: Type.String({ examples: ['2026-11-17'] }),
    last: Type.Boolean(),
    status: Type.Enum([...FILE_STATUSES], {
      description:
        '`RECEIVED`, then `PROCESSING` while it is checked and booked, then `COMPLETED` or `REJECTED`.',
    }),
    records: nullable(Type.Integer(), 'Number of records. Null until the whole file is checked.'),
    totals: nullable(
      Type.Object(
        {
          debit_total: amount('Clearings, reversals of refunds, fees and dispute debits.'),
          credit_total: amount('The others.'),
          currency: Type.String({ examples: ['EUR'] }),
        },
        { title: 'ClearingFileTotals' },
      ),
      'Null until the whole file is checked.',
    ),
    outcomes: Type.Object(
      Object.fromEntries(OUTCOMES.map((outcome) => [outcome, Type.Integer()])) as Record<
        (typeof OUTCOMES)[number],
        ReturnType<typeof Type.Integer>
      >,
      {
        title: 'ClearingFileOutcomes',
        description:
          'Records so far. `MATCHED`: its message had come before. `BOOKED`: it had not. `DIFFERENT`: its id had come with other values, and nothing was booked. `NOT_BOOKED`: the message was refused, for example because it names a purchase of another card.',
      },
    ),
    rejected: nullable(
      Type.Object(
        {
          line: Type.Integer({ description: 'From 1.' }),
          field: nullable(Type.String(), 'Null: the rule is about the whole line.'),
          rule: Type.String(),
        },
        { title: 'ClearingFileRejection' },
      ),
      'Why nothing of the file was booked. Null unless it is `REJECTED`.',
    ),
    created: Type.String(),
    ended: nullable(Type.String()),
  },
  { title: 'ClearingFile' },
);

export const EXAMPLE_FILE = {
  file_id: 'clr-20261117-01',
  settlement_date: '2026-11-17',
  last: true,
  status: 'RECEIVED',
  records: null,
  totals: null,
  outcomes: { MATCHED: 0, BOOKED: 0, DIFFERENT: 0, NOT_BOOKED: 0 },
  rejected: null,
  created: '2026-11-17T04:30:00+0000',
  ended: null,
};

export const EXAMPLE_COMPLETED = {
  ...EXAMPLE_FILE,
  status: 'COMPLETED',
  records: 3,
  totals: { debit_total: '42.50', credit_total: '12.50', currency: 'EUR' },
  outcomes: { MATCHED: 2, BOOKED: 1, DIFFERENT: 0, NOT_BOOKED: 0 },
  ended: '2026-11-17T04:30:02+0000',
};

export const EXAMPLE_REJECTED = {
  ...EXAMPLE_FILE,
  status: 'REJECTED',
  rejected: { line: 3, field: 'bill_amount', rule: 'must have at most 2 decimals in EUR' },
  ended: '2026-11-17T04:30:02+0000',
};
