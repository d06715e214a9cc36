import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { changePassword } from '../../lib/session.ts';
import { tell } from '../../lib/toasts.ts';

export default function PasswordModal({ onClose }: { onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const [wanted, setWanted] = useState('');
  const [again, setAgain] = useState('');
  const mutation = useMutation({
    // A wrong present password is a refusal of this form, and no end of the session.
    mutationKey: ['session', 'password'],
    mutationFn: () => changePassword(current, wanted),
    onSuccess: () => {
      tell('Your password is changed');
      onClose();
    },
  });
  const differs = again !== '' && again !== wanted;
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title="Change your password"
      action="Change password"
      mutation={mutation}
      disabled={current === '' || wanted.length < 12 || again !== wanted}
      onConfirm={() => mutation.mutate()}
    >
      <PasswordInput
        label="Present password"
        autoComplete="current-password"
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        data-autofocus
      />
      <PasswordInput
        label="New password"
        description="At least 12 characters. Long beats complicated: a few words that nobody would guess."
        autoComplete="new-password"
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <PasswordInput
        label="New password again"
        autoComplete="new-password"
        value={again}
        onChange={(event) => setAgain(event.currentTarget.value)}
        error={differs ? 'This is not the same as above.' : undefined}
      />
    </ConfirmModal>
  );
}
