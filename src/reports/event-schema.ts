import { Type } from 'typebox';
import type { EventName } from '../events/names.ts';
import { documentEvents } from '../events/schema.ts';
import { eventNameOf, FILE_TYPES, type FileType } from './report.ts';

const FileEventData = Type.Object(
  {
    reference_id: Type.String({ description: '`reference_id` from the response to the request.' }),
    link: Type.String({
      description: 'Download link, created for this delivery attempt. It requires no key.',
    }),
    expireAt: Type.Integer({ description: 'When the link expires, in Unix seconds.' }),
  },
  { title: 'FileEventData' },
);

/** `monthlyTransactionFees` becomes `MonthlyTransactionFeesFileEvent`. */
const titleOf = (fileType: FileType): string => `${fileType[0]?.toUpperCase()}${fileType.slice(1)}FileEvent`;

const described = (fileType: FileType) => ({
  title: titleOf(fileType),
  summary: `A ${fileType} report is ready`,
  data: FileEventData,
  exampleData: {
    reference_id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
    link: 'https://emboss.example.com/files/…',
    expireAt: 1_794_787_500,
  },
});

export const FILE_EVENTS = documentEvents(
  'files',
  Object.fromEntries(FILE_TYPES.map((fileType) => [eventNameOf(fileType), described(fileType)])) as Record<
    EventName<'files'>,
    ReturnType<typeof described>
  >,
);
