import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { HIGHEST_ID } from '../../kernel/ids.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { listRequestsBelow, type ReportRequestRow } from '../../reports/queries.ts';
import { PAGE_SIZE, pageOfRecords, readBefore } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { ReportRequests, ReportsQuery } from './schema.ts';

export function reportListRoutes(app: App, { db }: Pick<QueryServices, 'db'>): void {
  app.get(
    '/reports/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleReports',
        summary: 'List requested reports',
        description: 'Newest request first. Use the merchant API to request reports and get download links.',
        querystring: ReportsQuery,
        response: {
          200: success(ReportRequests, 'A page of requests', {
            results: [
              {
                referenceId: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
                fileType: 'daily',
                firstDay: '2026-11-01',
                lastDay: '2026-11-01',
                status: 'ready',
                rowCount: 1204,
                bytes: 231_482,
                created: '2026-11-15T08:32:00+0000',
              },
            ],
            next: null,
          }),
          ...badRequest([400, 'before: must be a record id from `next`']),
        },
      },
    },
    async (request) => {
      const { program } = actorOf(request);
      const belowId = readBefore(request.query.before) ?? HIGHEST_ID;
      const rows = await listRequestsBelow(db, program.id, belowId, PAGE_SIZE + 1);
      const { results, next } = pageOfRecords(rows, PAGE_SIZE);
      return { results: results.map(presentRequest), next };
    },
  );
}

const presentRequest = (row: ReportRequestRow) => ({
  referenceId: row.id,
  fileType: row.fileType,
  firstDay: row.firstDay,
  lastDay: row.lastDay,
  status: row.status,
  rowCount: row.rowCount === null ? null : Number(row.rowCount),
  bytes: row.bytes === null ? null : Number(row.bytes),
  created: formatTimestamp(row.createdAt),
});
