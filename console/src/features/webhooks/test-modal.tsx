import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { useProgramApi } from '../../lib/program.ts';
import { pathOf, type Subject } from './endpoint-modals.tsx';
import type { TestAnswer } from './queries.ts';
import classes from './webhooks-page.module.css';

/** Stays open with the response, so that the operator can try again after a change at the receiver. */
export function TestModal({ endpoint, onClose }: Subject) {
  const api = useProgramApi();
  const mutation = useMutation({ mutationFn: () => api.post<TestAnswer>(pathOf(endpoint, 'test/')) });
  const { data: answer, error, isPending } = mutation;
  const close = () => {
    if (isPending) return;
    mutation.reset();
    onClose();
  };
  const send = () => mutation.mutate();
  return (
    <Dialog opened={endpoint !== null} onClose={close} title="Send a test event">
      <p className={classes.url}>{endpoint?.url}</p>
      <p className={classes.note}>
        One signed event of type “test” is sent immediately. It is not retried and not stored.
      </p>
      {answer && <TestResult answer={answer} />}
      {error && <ErrorPanel error={error} />}
      <DialogFooter>
        {answer ? (
          <>
            <Button variant="default" onClick={send} loading={isPending}>
              Send another
            </Button>
            <Button onClick={close}>Close</Button>
          </>
        ) : (
          <>
            <Button variant="default" onClick={close} disabled={isPending}>
              Cancel
            </Button>
            <Button onClick={send} loading={isPending} data-autofocus>
              Send test
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  );
}

function TestResult({ answer: { delivered, statusCode, error, durationMs } }: { answer: TestAnswer }) {
  return (
    <div className={classes.result} role="status">
      <span className={classes.resultHead}>
        <ToneBadge tone={delivered ? 'good' : 'bad'}>{delivered ? 'Delivered' : 'Not delivered'}</ToneBadge>
        <span className="num">
          {error ?? `Response ${statusCode}`} after {durationMs} ms
        </span>
      </span>
    </div>
  );
}
