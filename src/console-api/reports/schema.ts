import { Type } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { FILE_TYPES } from '../../reports/report.ts';
import { before, next, text, timestamp } from '../console-schema.ts';

export const ReportsQuery = Type.Object({ before });

const ReportRequest = Type.Object(
  {
    referenceId: text,
    fileType: Type.Enum([...FILE_TYPES]),
    firstDay: Type.String({ format: 'date' }),
    lastDay: Type.String({ format: 'date' }),
    status: Type.Enum(['pending', 'ready', 'expired'], {
      description: 'expired: the file was deleted and is generated again on request.',
    }),
    rowCount: nullable(Type.Integer()),
    bytes: nullable(Type.Integer()),
    created: timestamp(),
  },
  { title: 'ReportRequest' },
);

export const ReportRequests = Type.Object(
  { results: Type.Array(ReportRequest), next },
  { title: 'ReportRequests' },
);
