import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { useProgramApi } from '../../lib/program.ts';
import classes from './decisions-page.module.css';
import { type Endpoint, endpointPath, type TestAnswer } from './queries.ts';
import { testWords } from './words.ts';

/** Stays open with the response, so that the operator can try again after a change at the server. */
export function TestModal({
  endpoint,
  opened,
  atOnce = false,
  onClose,
}: {
  endpoint: Endpoint;
  opened: boolean;
  /** Sends the first request without a click. */
  atOnce?: boolean;
  onClose: () => void;
}) {
  const api = useProgramApi();
  const mutation = useMutation({
    mutationFn: () => api.post<TestAnswer>(`${endpointPath(endpoint.kind)}test/`),
  });
  const { data: answer, error, isPending, mutate } = mutation;
  const sends = opened && atOnce;
  useEffect(() => {
    if (sends) mutate();
  }, [sends, mutate]);
  const close = () => {
    if (isPending) return;
    mutation.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title="Send a test request">
      <p className={classes.url}>{endpoint.url}</p>
      <p className={classes.words}>
        One signed request about an invented purchase is sent immediately, also to a paused endpoint. It is
        not retried, and no card is charged.
      </p>
      {answer && <TestResult answer={answer} />}
      {error && <ErrorPanel error={error} />}
      <DialogFooter>
        <Button variant="default" onClick={close} disabled={isPending}>
          {answer ? 'Close' : 'Cancel'}
        </Button>
        <Button onClick={() => mutation.mutate()} loading={isPending} data-autofocus>
          {answer ? 'Send another' : 'Send test'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function TestResult({ answer }: { answer: TestAnswer }) {
  const { tone, text, sentence } = testWords(answer);
  return (
    <div className={classes.result} role="status">
      <span className={classes.head}>
        <ToneBadge tone={tone}>{text}</ToneBadge>
        <span>{sentence}</span>
      </span>
      {answer.answerStart && <pre className={classes.body}>{answer.answerStart}</pre>}
    </div>
  );
}
