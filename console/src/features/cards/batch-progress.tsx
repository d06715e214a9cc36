import type { CardBatch } from '@emboss/sdk';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { DialogFooter } from '../../components/dialog.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { formatCount } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import classes from './batch.module.css';
import { type Failure, type SentBatch, saveFailures } from './batch-file.ts';
import { BatchRows } from './batch-rows.tsx';
import { countedCards } from './bulk-kinds.ts';
import { refreshCard } from './queries.ts';
import { batchQuery, failedRowsQuery } from './use-batch.ts';

/** The batch goes on in the server if the dialog is closed. */
export function BatchProgress({ sent, onClose }: { sent: SentBatch; onClose: () => void }) {
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  const query = useQuery(batchQuery(programId, sent.batch));
  const batch = query.data ?? sent.batch;
  const isCompleted = batch.status === 'COMPLETED';
  useEffect(() => {
    if (isCompleted) void refreshCard(queryClient, programId);
  }, [isCompleted, queryClient, programId]);
  return (
    <>
      <div className={classes.progress}>
        <progress
          aria-label="Rows that are done"
          max={batch.total}
          value={isCompleted ? batch.total : batch.created + batch.failed}
        />
        <p className={classes.words} role="status">
          {isCompleted
            ? `${countedCards(batch.created)} of ${formatCount(batch.total)} created.`
            : `${formatCount(batch.created + batch.failed)} of ${formatCount(batch.total)} rows are done. The server goes on if you close this.`}
        </p>
      </div>
      {query.error && <ErrorPanel error={query.error} />}
      {isCompleted ? (
        <Result sent={sent} batch={batch} onClose={onClose} />
      ) : (
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </DialogFooter>
      )}
    </>
  );
}

function Result({ sent, batch, onClose }: { sent: SentBatch; batch: CardBatch; onClose: () => void }) {
  const { id: programId } = useProgram();
  const failed = useQuery(failedRowsQuery(programId, batch));
  const refused: Failure[] = (failed.data ?? []).flatMap(({ index, error }) => {
    const row = sent.rows[index];
    return row && error ? [{ row, message: error.message }] : [];
  });
  const failures = [...sent.leftOut, ...refused].sort((a, b) => a.row.line - b.row.line);
  return (
    <>
      {failed.error && <ErrorPanel error={failed.error} retry={() => void failed.refetch()} />}
      {failures.length > 0 && (
        <BatchRows
          rows={failures.map(({ row, message }) => ({ ...row, error: { field: null, message } }))}
          label="Rows without a card"
        />
      )}
      <DialogFooter>
        {failures.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            disabled={failed.isLoading}
            onClick={() => saveFailures(sent.file, failures)}
          >
            Save failed rows
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </DialogFooter>
    </>
  );
}
