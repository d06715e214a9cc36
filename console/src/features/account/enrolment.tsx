import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { beginSecondFactor, confirmSecondFactor } from '../../lib/session.ts';
import classes from './account-page.module.css';
import { QrCode } from './qr-code.tsx';

/** Three steps: the password, the QR code, the first code from the app. */
export default function Enrolment({
  onDone,
  onCancel,
}: {
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useMutation({
    mutationKey: ['session', 'second-factor'],
    mutationFn: () => beginSecondFactor(password),
    onSuccess: () => setPassword(''),
  });
  const confirm = useMutation({
    mutationKey: ['session', 'second-factor'],
    mutationFn: (enrolment: string) => confirmSecondFactor(enrolment, code),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  const cancel = (
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
  );
  if (!begin.data)
    return (
      <Form onSubmit={() => begin.mutate()} error={begin.error}>
        <PasswordInput
          label="Your password"
          description="To confirm your identity."
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoFocus
        />
        <div className={classes.buttons}>
          <Button type="submit" loading={begin.isPending} disabled={password === ''}>
            Continue
          </Button>
          {cancel}
        </div>
      </Form>
    );
  const { uri, secret, enrolment } = begin.data;
  return (
    <div className={classes.enrol}>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <div className={classes.steps}>
        <p className={classes.text}>
          Scan the code with an authenticator app, or enter this secret in the app:
          <br />
          <span className={classes.secret}>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</span>
        </p>
        <Form onSubmit={() => confirm.mutate(enrolment)} error={confirm.error}>
          <TextInput
            label="Code from the app"
            description="6 digits."
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            autoFocus
          />
          <div className={classes.buttons}>
            <Button type="submit" loading={confirm.isPending} disabled={code === ''}>
              Turn on
            </Button>
            {cancel}
          </div>
        </Form>
      </div>
    </div>
  );
}

function Form({ onSubmit, error, children }: { onSubmit: () => void; error: unknown; children: ReactNode }) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      {children}
      {error !== null && <ErrorPanel error={error} />}
    </form>
  );
}
