import type { Queryable } from '../../db/database.ts';
import type { FileType } from '../../reports/report.ts';

export interface ReportRequestRow {
  id: string;
  fileType: FileType;
  firstDay: string;
  lastDay: string;
  status: 'pending' | 'ready' | 'expired';
  rowCount: bigint | null;
  bytes: bigint | null;
  createdAt: Date;
}

/** Requests below an id, newest first, each with its report. */
export const listRequestsBelow = (
  db: Queryable,
  programId: string,
  belowId: string,
  limit: number,
): Promise<ReportRequestRow[]> =>
  db.query<ReportRequestRow>(
    {
      name: 'list_report_requests_below',
      text: `select q.id, r.file_type as "fileType", r.first_day as "firstDay", r.last_day as "lastDay",
                    case when r.status = 'ready' and r.kept_until <= clock_timestamp() then 'expired'
                         else r.status end as status,
                    r.row_count as "rowCount", r.bytes, q.created_at as "createdAt"
             from (select * from report_requests where program_id = $1 and id < $2 order by id desc limit $3) q
             cross join lateral (
               select * from reports where program_id = $1 and id = q.report_id limit 1) r
             order by q.id desc`,
    },
    [programId, belowId, limit],
  );
