import type { CardBatch } from '@emboss/sdk';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../components/loaded.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { useProgram } from '../../lib/program.ts';
import classes from './batch.module.css';
import { saveErrors } from './batch-file.ts';
import { failedRowsQuery } from './use-batch.ts';

/** The rows of a batch that failed. What they held is erased: each is named by its number in the request. */
export function FailedRows({ batch }: { batch: CardBatch }) {
  const { id: programId } = useProgram();
  const query = useQuery(failedRowsQuery(programId, batch));
  if (batch.failed === 0)
    return (
      <p className={classes.words}>
        {batch.status === 'COMPLETED' ? 'Every row became a card.' : 'No row has failed so far.'}
      </p>
    );
  return (
    <Loaded query={query} outline={<TableOutline rows={2} />}>
      {(rows) => (
        <div className={classes.failed}>
          <section className={classes.rows} aria-label="Failed rows">
            <ul>
              {rows.map(({ id, index, error }) => (
                <li key={id} data-short>
                  <span className={classes.line}>Row {index + 1}</span>
                  <span className={classes.error}>{error?.message}</span>
                </li>
              ))}
            </ul>
          </section>
          <Button
            className={classes.template ?? ''}
            variant="default"
            size="xs"
            leftSection={<IconDownload size={15} />}
            onClick={() => saveErrors(batch.id, rows)}
          >
            Save as CSV
          </Button>
        </div>
      )}
    </Loaded>
  );
}
