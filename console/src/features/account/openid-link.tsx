import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { beginOpenIdConnection, refusalWords } from '../../lib/openid.ts';
import { useSession } from '../../lib/session.ts';
import classes from './account-page.module.css';

/** Whether the operator can sign in at the OpenID provider, and how to begin. */
export function OpenIdLink({ name, refused }: { name: string; refused: string | undefined }) {
  const { hasOpenId, hasPassword } = useSession().operator;
  const [connecting, setConnecting] = useState(false);
  return (
    <>
      {refused && (
        <p className={classes.notice} role="alert">
          {refusalWords(refused)}
        </p>
      )}
      <p className={classes.text}>
        {!hasOpenId
          ? `Not connected. Connect your account to sign in with ${name}.`
          : hasPassword
            ? `Connected. You can sign in with ${name} or with your password.`
            : `You sign in with ${name}. Passwords and second factors are managed there.`}
      </p>
      {!hasOpenId && (
        <Button variant="default" onClick={() => setConnecting(true)}>
          Connect {name}
        </Button>
      )}
      {connecting && <ConnectModal name={name} onClose={() => setConnecting(false)} />}
    </>
  );
}

function ConnectModal({ name, onClose }: { name: string; onClose: () => void }) {
  const confirmation = useConfirmation('This adds a way to sign in, so it needs your password.');
  const mutation = useMutation({
    mutationKey: ['session', 'openid'],
    gcTime: 0,
    mutationFn: () => beginOpenIdConnection(confirmation.body),
    onSuccess: (url) => window.location.assign(url),
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Connect ${name}`}
      action="Continue"
      consequences={[`You sign in at ${name} next.`, 'All your other sessions end.']}
      disabled={!confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      {confirmation.fields}
    </ConfirmModal>
  );
}
