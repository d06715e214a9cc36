import { Button, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { changePassword, sessionQuery, useSession } from '../../lib/session.ts';
import { showToast } from '../../lib/toasts.ts';
import classes from './account-page.module.css';

const EMPTY = { current: '', wanted: '', again: '' };

export function PasswordForm() {
  const { operator } = useSession();
  const queryClient = useQueryClient();
  const [fields, setFields] = useState(EMPTY);
  const { current, wanted, again } = fields;
  const set = (name: keyof typeof EMPTY) => (event: { currentTarget: { value: string } }) =>
    setFields({ ...fields, [name]: event.currentTarget.value });
  const mutation = useMutation({
    // A wrong current password must not end the session: keys that begin with `session` are exempt from the sign-out.
    mutationKey: ['session', 'password'],
    mutationFn: () => changePassword(current, wanted),
    onSuccess: async () => {
      setFields(EMPTY);
      showToast('Password changed');
      await queryClient.invalidateQueries(sessionQuery);
    },
  });
  const differs = again !== '' && again !== wanted;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate();
      }}
    >
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        value={current}
        onChange={set('current')}
        autoFocus={operator.mustChangePassword}
      />
      <PasswordInput
        label="New password"
        description="At least 12 characters, with letters and digits. Not one of your last four passwords, and not a common one. All your other sessions end."
        autoComplete="new-password"
        value={wanted}
        onChange={set('wanted')}
      />
      <PasswordInput
        label="Confirm new password"
        autoComplete="new-password"
        value={again}
        onChange={set('again')}
        error={differs ? 'The passwords do not match.' : undefined}
      />
      {mutation.error && <ErrorPanel error={mutation.error} />}
      <div>
        <Button
          type="submit"
          loading={mutation.isPending}
          disabled={current === '' || wanted.length < 12 || again !== wanted}
        >
          Change password
        </Button>
      </div>
    </form>
  );
}
