import { Button, FileButton } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { formatCount } from '../../lib/money.ts';
import { useProgramApi } from '../../lib/program.ts';
import classes from './batch.module.css';
import { type ReadFile, readFile, type SentBatch, saveTemplate } from './batch-file.ts';
import { BatchProgress } from './batch-progress.tsx';
import { BatchRows } from './batch-rows.tsx';
import { countedCards } from './bulk-kinds.ts';
import { useSendBatch } from './use-batch.ts';

/** From a CSV file to cards: choose the file, look at its rows, watch the progress, and save the rows that failed. */
export default function BatchModal({ onClose }: { onClose: () => void }) {
  const api = useProgramApi();
  const [sent, setSent] = useState<SentBatch | null>(null);
  const reading = useMutation({ mutationFn: (file: File) => readFile(api, file) });
  return (
    <Dialog opened onClose={onClose} title="Create cards from a file" size="xl" closeOnClickOutside={false}>
      {sent ? (
        <BatchProgress sent={sent} onClose={onClose} />
      ) : reading.data ? (
        <Preview file={reading.data} onBack={reading.reset} onSent={setSent} />
      ) : (
        <Choose reading={reading} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Choose({
  reading,
  onClose,
}: {
  reading: { mutate: (file: File) => void; isPending: boolean; error: unknown };
  onClose: () => void;
}) {
  return (
    <>
      <p className={classes.words}>
        A CSV file with a line for each card, at most 1,000. The first line names the fields as the API does,
        for example <code>kyc.dob</code>. You see every row before anything is created.
      </p>
      <Button
        className={classes.template ?? ''}
        variant="default"
        size="xs"
        leftSection={<IconFileText size={15} />}
        onClick={saveTemplate}
      >
        Save a template
      </Button>
      {reading.error !== null && <ErrorPanel error={reading.error} />}
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <FileButton accept=".csv,text/csv" onChange={(file) => file && reading.mutate(file)}>
          {(props) => (
            <Button {...props} loading={reading.isPending} data-autofocus>
              Choose a file
            </Button>
          )}
        </FileButton>
      </DialogFooter>
    </>
  );
}

function Preview({
  file,
  onBack,
  onSent,
}: {
  file: ReadFile;
  onBack: () => void;
  onSent: (sent: SentBatch) => void;
}) {
  const valid = file.rows.filter(({ error }) => error === null);
  const wrong = file.rows.flatMap((row) => (row.error ? [{ row, message: row.error.message }] : []));
  const mutation = useSendBatch(file, valid, wrong, onSent);
  return (
    <>
      <p className={classes.words}>
        <strong>{file.name}</strong> has {formatCount(file.rows.length)}{' '}
        {file.rows.length === 1 ? 'row' : 'rows'}.{' '}
        {wrong.length > 0 &&
          `${formatCount(wrong.length)} ${wrong.length === 1 ? 'is' : 'are'} wrong and will be left out; you can save them as a file afterwards. `}
        The KYC provider checks each customer when the card is created.
      </p>
      <BatchRows rows={file.rows} />
      {mutation.error && <ErrorPanel error={mutation.error} />}
      <DialogFooter>
        <Button variant="default" onClick={onBack} disabled={mutation.isPending}>
          Choose another file
        </Button>
        <Button
          loading={mutation.isPending}
          disabled={valid.length === 0}
          onClick={() => mutation.mutate()}
          data-autofocus
        >
          Create {countedCards(valid.length)}
        </Button>
      </DialogFooter>
    </>
  );
}
