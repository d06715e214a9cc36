import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { removeSecondFactor, renewRecoveryCodes } from '../../lib/session.ts';
import { showToast } from '../../lib/toasts.ts';

const KINDS = {
  renewing: {
    title: 'Create new recovery codes',
    action: 'Create new codes',
    consequence: 'Your current recovery codes stop working.',
  },
  removing: {
    title: 'Remove the second factor',
    action: 'Remove second factor',
    consequence: 'You will sign in with your password alone. All your other sessions end.',
  },
} as const;

export function ConfirmationModal({
  kind,
  onDone,
  onClose,
}: {
  kind: keyof typeof KINDS;
  onDone: (recoveryCodes: string[] | null) => void;
  onClose: () => void;
}) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const mutation = useMutation({
    mutationKey: ['session', 'second-factor'],
    mutationFn: async (): Promise<string[] | null> => {
      if (kind === 'renewing') return (await renewRecoveryCodes(password, code)).recoveryCodes;
      await removeSecondFactor(password, code);
      return null;
    },
    onSuccess: (codes) => {
      if (codes === null) showToast('Second factor removed');
      onDone(codes);
    },
  });
  const { title, action, consequence } = KINDS[kind];
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={title}
      action={action}
      danger={kind === 'removing'}
      consequences={[consequence]}
      mutation={mutation}
      disabled={password === '' || code === ''}
      onConfirm={() => mutation.mutate()}
    >
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label="Code"
        description="From your authenticator app, or a recovery code. Each code works once: if you just used one, wait for the next."
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </ConfirmModal>
  );
}
