import { Type } from 'typebox';
import { shownAs } from '../http/openapi-components.ts';
import { nullable } from '../http/schemas.ts';
import { FILE_TYPES, type FileType } from './report.ts';

const DESCRIPTIONS: Record<FileType, string> = {
  monthly: 'every change to the master account in the month, with the running balance',
  daily: 'the same for one day',
  fee: 'FX and ATM fees charged to cardholders, from the first of the month to the date',
  monthlyTransactionFees: 'revenue and cost of each transaction in the month',
  monthlyNonTransactionFees: 'card issuance and maintenance costs in the month',
  dailyTransactionFee: 'revenue and cost of each transaction on one day',
  settlement: 'each clearing, refund and reversal of one on one day, with its interchange',
};

export const FilePath = Type.Object({
  fileType: Type.Enum([...FILE_TYPES], {
    description: FILE_TYPES.map((type) => `\`${type}\`: ${DESCRIPTIONS[type]}.`).join(' '),
    examples: ['daily'],
  }),
});

export const FileQuery = Type.Object({
  date: Type.String({
    format: 'date',
    description:
      'Daily types and `fee`: the day, at least two days before today. Monthly types: any day of the month, available from the 2nd of the following month. UTC, in program time.',
    examples: ['2026-11-01'],
  }),
});

export const FileAnswer = Type.Object(
  {
    message: Type.String(),
    reference_id: Type.String({
      description: 'Identifies this request in the `files` event and in the request state.',
    }),
  },
  { title: 'FileRequest' },
);

export const RequestPath = Type.Object({
  reference_id: Type.String({ description: '`reference_id` from the response to the request.' }),
});

const link = {
  description: 'Download link, created for this response. It requires no key. Null until the file is ready.',
};
const expireAt = { description: 'When the link expires, in Unix seconds: five minutes from now.' };

const PendingFile = Type.Object(
  {
    reference_id: Type.String(),
    status: Type.Literal('pending'),
    link: nullable(Type.String(), link.description),
    expireAt: nullable(Type.Integer(), expireAt.description),
  },
  { title: 'PendingFile' },
);

const ReadyFile = Type.Object(
  {
    reference_id: Type.String(),
    status: Type.Literal('ready'),
    link: Type.String(link),
    expireAt: Type.Integer(expireAt),
  },
  { title: 'ReadyFile' },
);

export const RequestAnswer = Type.Object(
  {
    reference_id: Type.String(),
    status: Type.Enum(['pending', 'ready']),
    link: nullable(Type.String()),
    expireAt: nullable(Type.Integer()),
  },
  shownAs(
    Type.Unsafe({
      title: 'FileRequestState',
      discriminator: { propertyName: 'status' },
      oneOf: [PendingFile, ReadyFile],
    }),
  ),
);
