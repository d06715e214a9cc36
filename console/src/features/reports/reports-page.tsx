import { IconFileText } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { reportsQuery } from './queries.ts';
import { ReportTable } from './report-table.tsx';
import { RequestForm } from './request-form.tsx';

export function ReportsPage() {
  const { id: programId } = useProgram();
  const mayRequest = useMay('support');
  const query = useInfiniteQuery(reportsQuery(programId));
  return (
    <Page title="Reports" intro="Settlement and fee reports as CSV files. Balances match the ledger.">
      {mayRequest ? (
        <Panel title="Request a report">
          <RequestForm />
        </Panel>
      ) : (
        <RoleNote needed="support" todo="Requesting reports" />
      )}
      <Panel title="Requested reports" flush>
        <Loaded query={query} outline={<TableOutline rows={4} />}>
          {({ pages }) => {
            const reports = pages.flatMap(({ results }) => results);
            return reports.length === 0 ? (
              <EmptyState icon={IconFileText} title="No reports yet">
                Reports requested here or through the API are listed here. When a file is ready, a webhook
                event of type “files” also delivers its download link.
              </EmptyState>
            ) : (
              <>
                <ReportTable reports={reports} onLost={() => void query.refetch()} />
                <LoadMore query={query} />
              </>
            );
          }}
        </Loaded>
      </Panel>
    </Page>
  );
}
