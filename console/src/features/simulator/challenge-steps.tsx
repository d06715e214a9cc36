import type { SandboxAuthentication } from '@emboss/sdk';
import { Button } from '@mantine/core';
import { IconCreditCard, IconExternalLink } from '@tabler/icons-react';
import { type UseMutationResult, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { badgeOf, resultWords } from '../cards/authentication-result.ts';
import classes from './challenge-steps.module.css';

const EVERY_MS = 1_000;

/** The steps between the shop and the authorization: the cardholder confirms the payment, or does not. */
export function ChallengeSteps({
  begun,
  mutation,
  onAuthorize,
  onClose,
}: {
  begun: SandboxAuthentication;
  /** Of the authorization. */
  mutation: Pick<UseMutationResult, 'isPending' | 'error'>;
  onAuthorize: () => void;
  onClose: () => void;
}) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const path = `sandbox/authentications/${encodeURIComponent(begun.id)}/`;
  const { data, error, refetch } = useQuery({
    queryKey: [programId, 'simulator', 'authentication', begun.id],
    queryFn: ({ signal }) => api.get<SandboxAuthentication>(path, {}, signal),
    initialData: begun,
    refetchInterval: ({ state }) => (state.data?.status === 'CHALLENGE' ? EVERY_MS : false),
  });
  const answering = useMutation({
    mutationFn: (approve: boolean) =>
      api.post(`merchant/authentications/${encodeURIComponent(begun.id)}/answer/`, { approve }),
    onSuccess: () => refetch(),
  });
  const mayAnswer = useMay('admin');
  const { status, method, otp } = data;
  const isOpen = status === 'CHALLENGE';
  const isDone = status === 'AUTHENTICATED';
  const [text, tone] = badgeOf(data);
  const failure = mutation.error ?? answering.error ?? error;
  const steps = useRef<HTMLElement>(null);
  // They replace a longer form: on a small screen they would be above the visible area.
  useEffect(() => {
    steps.current?.focus({ preventScroll: true });
    steps.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section ref={steps} tabIndex={-1} className={classes.steps} aria-label="3-D Secure">
      <p className={classes.result} role="status">
        <ToneBadge tone={tone}>{text}</ToneBadge>
        <span>{resultWords(data)}</span>
      </p>
      {otp && (
        <p className={classes.code}>
          Code <strong className="num">{otp}</strong> <CopyButton value={otp} label="Copy code" />
        </p>
      )}
      {isOpen && (
        <a
          className={classes.link}
          href={`/challenge/${begun.id}/`}
          target="_blank"
          rel="noopener noreferrer"
        >
          Open the cardholder's page <IconExternalLink size={15} />
        </a>
      )}
      {isOpen && method === 'OUT_OF_BAND' && mayAnswer && (
        <div className={classes.buttons}>
          <Button variant="default" disabled={answering.isPending} onClick={() => answering.mutate(true)}>
            Approve as the app
          </Button>
          <Button variant="default" disabled={answering.isPending} onClick={() => answering.mutate(false)}>
            Decline as the app
          </Button>
        </div>
      )}
      {failure && <ErrorPanel error={failure} />}
      <div className={classes.buttons}>
        <Button
          variant={isDone ? 'filled' : 'default'}
          onClick={onAuthorize}
          loading={mutation.isPending}
          leftSection={<IconCreditCard size={18} />}
        >
          {isDone ? 'Authorize the purchase' : 'Authorize without a confirmation'}
        </Button>
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
      </div>
    </section>
  );
}
