import type { FileRequestState } from '@emboss/sdk';
import { Button, Loader } from '@mantine/core';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Column } from '../../components/list/column.ts';
import { Table } from '../../components/list/table.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { ApiError } from '../../lib/api.ts';
import type { ReportRequest } from '../../lib/api-types.gen.ts';
import { formatCount } from '../../lib/money.ts';
import { useProgramApi } from '../../lib/program.ts';
import { formatUtcDay as day } from '../../lib/time.ts';
import { showToast } from '../../lib/toasts.ts';
import classes from './report-table.module.css';
import { REPORT_TYPES } from './report-types.ts';

export function ReportTable({ reports, onLost }: { reports: ReportRequest[]; onLost: () => void }) {
  const columns: Array<Column<ReportRequest>> = [
    ...COLUMNS,
    {
      key: 'file',
      header: 'File',
      align: 'right',
      cell: (report) => <FileCell report={report} onLost={onLost} />,
    },
  ];
  return (
    <Table
      label="Requested reports"
      columns={columns}
      rows={reports}
      rowKey={({ referenceId }) => referenceId}
    />
  );
}

const COLUMNS: Array<Column<ReportRequest>> = [
  {
    key: 'report',
    header: 'Report',
    cell: ({ fileType, firstDay, lastDay }) => (
      <span className={classes.lines}>
        <strong className={classes.name}>{REPORT_TYPES[fileType].title}</strong>
        <span className={classes.small}>
          {day(firstDay)}
          {firstDay !== lastDay && ` to ${day(lastDay)}`}
        </span>
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status }) => <ReportState status={status} />,
  },
  {
    key: 'size',
    header: 'Size',
    from: 'sm',
    cell: ({ rowCount, bytes }) => (
      <span className="num">
        {rowCount === null || bytes === null
          ? ''
          : `${formatCount(rowCount)} ${rowCount === 1 ? 'row' : 'rows'}, ${formatBytes(bytes)}`}
      </span>
    ),
  },
  {
    key: 'created',
    header: 'Requested',
    from: 'md',
    cell: ({ created }) => <Timestamp value={created} />,
  },
];

function ReportState({ status }: { status: ReportRequest['status'] }) {
  if (status === 'ready') return <ToneBadge tone="good">Ready</ToneBadge>;
  if (status === 'expired') return <ToneBadge tone="quiet">Expired</ToneBadge>;
  return (
    <span className={classes.pending}>
      <ToneBadge tone="warn">Generating</ToneBadge>
      <Loader size={14} color="gray" aria-hidden="true" />
    </span>
  );
}

/** A link is valid for minutes, so it is requested on click. */
function FileCell({ report, onLost }: { report: ReportRequest; onLost: () => void }) {
  const api = useProgramApi();
  const { referenceId, fileType, lastDay, status } = report;
  const mutation = useMutation({
    mutationFn: () => api.get<FileRequestState>(`merchant/files/requests/${referenceId}/`),
    onSuccess: ({ link }) => {
      if (link) return globalThis.location.assign(link);
      // The storage had lost the file, so the server generates it again.
      showToast('The file is being generated again. This takes a moment.');
      onLost();
    },
    onError: (error) => showToast(error instanceof ApiError ? error.message : 'The download failed.', 'bad'),
  });
  if (status === 'pending') return <span className={classes.small}>Please wait…</span>;
  const label = status === 'expired' ? 'Generate again' : 'Download CSV';
  return (
    <Button
      size="xs"
      variant="default"
      loading={mutation.isPending}
      classNames={{ section: classes.icon ?? '' }}
      leftSection={status === 'expired' ? <IconRefresh size={15} /> : <IconDownload size={15} />}
      aria-label={`${label}: ${REPORT_TYPES[fileType].title}, ${day(lastDay)}`}
      onClick={() => mutation.mutate()}
    >
      <span className={classes.label}>{label}</span>
    </Button>
  );
}

function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
