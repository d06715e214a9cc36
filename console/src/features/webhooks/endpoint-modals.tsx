import { useMutation } from '@tanstack/react-query';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { useProgramApi } from '../../lib/program.ts';
import { tell } from '../../lib/toasts.ts';
import type { Message } from '../../lib/types.ts';
import type { Endpoint, NewEndpoint, TestAnswer } from './queries.ts';
import classes from './webhooks-page.module.css';

interface Subject {
  /** Null: the dialog is closed. */
  endpoint: Endpoint | null;
  onClose: () => void;
}

const pathOf = (endpoint: Endpoint | null, rest = ''): string =>
  `merchant/webhook-endpoints/${endpoint?.id}/${rest}`;

/** Stays open with what came back, so that one can try again after a change on the other side. */
export function TestModal({ endpoint, onClose }: Subject) {
  const api = useProgramApi();
  const mutation = useMutation({ mutationFn: () => api.post<TestAnswer>(pathOf(endpoint, 'test/')) });
  return (
    <ConfirmModal
      opened={endpoint !== null}
      onClose={onClose}
      title="Send a test"
      consequences={[
        'One signed event of the type “test” is posted at once. It is not repeated and not kept.',
      ]}
      action={mutation.data ? 'Send another' : 'Send test'}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint?.url}</p>
      {mutation.data && <TestResult answer={mutation.data} />}
    </ConfirmModal>
  );
}

function TestResult({
  answer: { delivered, statusCode, error, answerStart, durationMs },
}: {
  answer: TestAnswer;
}) {
  return (
    <div className={classes.result} role="status">
      <span className={classes.resultHead}>
        <ToneBadge tone={delivered ? 'good' : 'bad'}>{delivered ? 'Delivered' : 'Not delivered'}</ToneBadge>
        <span className="num">
          {error ?? `Answered ${statusCode}`} after {durationMs} ms
        </span>
      </span>
      {answerStart && <pre className={classes.answer}>{answerStart}</pre>}
    </div>
  );
}

export function RotateModal({
  endpoint,
  onClose,
  onRotated,
}: Subject & { onRotated: (endpoint: NewEndpoint) => void }) {
  const api = useProgramApi();
  const mutation = useMutation({
    mutationFn: () => api.post<NewEndpoint>(pathOf(endpoint, 'rotate-secret/')),
    onSuccess: onRotated,
  });
  return (
    <ConfirmModal
      opened={endpoint !== null}
      onClose={onClose}
      title="Rotate the secret?"
      consequences={[
        'You get a new secret. It is shown once.',
        'For 24 hours every delivery is signed with both, the old one and the new one. After that with the new one alone.',
        'A receiver that still has only the old secret then refuses what we send.',
      ]}
      action="Rotate secret"
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint?.url}</p>
    </ConfirmModal>
  );
}

export function EnableModal({ endpoint, onClose, onDone }: Subject & { onDone: () => void }) {
  const api = useProgramApi();
  const mutation = useMutation({
    mutationFn: () => api.post<Endpoint>(pathOf(endpoint, 'enable/')),
    onSuccess: () => {
      tell('The endpoint is enabled.');
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened={endpoint !== null}
      onClose={onClose}
      title="Enable the endpoint?"
      consequences={[
        'New events are sent to it from now on, and what was still on its way goes on.',
        'What came up while it was disabled is not sent by itself: use “Resend missed” below.',
      ]}
      action="Enable endpoint"
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint?.url}</p>
    </ConfirmModal>
  );
}

export function RemoveModal({ endpoint, onClose, onDone }: Subject & { onDone: () => void }) {
  const api = useProgramApi();
  const mutation = useMutation({
    mutationFn: () => api.delete<Message>(pathOf(endpoint)),
    onSuccess: () => {
      tell('The endpoint is removed.');
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened={endpoint !== null}
      onClose={onClose}
      title="Remove the endpoint?"
      consequences={[
        'Nothing is sent to it any more, and what is still on its way to it is given up.',
        'Its secret is gone. If you add the address again, it gets a new one.',
        'What was delivered, and every attempt, stays in the list of events.',
      ]}
      action="Remove endpoint"
      danger
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <p className={classes.url}>{endpoint?.url}</p>
    </ConfirmModal>
  );
}
