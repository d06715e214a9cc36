import { PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';

/** Credentials that the server requires again before a dangerous action. */
interface Confirmation {
  password: string;
  code: string;
}

const NOTHING: Confirmation = { password: '', code: '' };

/** The operator's password and code. They exist only in the dialog, and `clear` deletes them. */
export function useConfirmation(
  why = 'This key can reveal card numbers or one-time passwords, so confirm your password.',
) {
  const [given, setGiven] = useState(NOTHING);
  const code = given.code.trim();
  return {
    isComplete: given.password !== '',
    body: { password: given.password, ...(code !== '' && { code }) },
    clear: () => setGiven(NOTHING),
    fields: <ConfirmationFields why={why} given={given} onChange={setGiven} />,
  };
}

function ConfirmationFields({
  why,
  given,
  onChange,
}: {
  why: string;
  given: Confirmation;
  onChange: (given: Confirmation) => void;
}) {
  return (
    <>
      <PasswordInput
        label="Your password"
        description={why}
        autoComplete="current-password"
        maxLength={256}
        value={given.password}
        onChange={(event) => onChange({ ...given, password: event.currentTarget.value })}
      />
      <TextInput
        label="Code"
        description="From your authenticator app, if you use a second factor."
        autoComplete="one-time-code"
        maxLength={64}
        value={given.code}
        onChange={(event) => onChange({ ...given, code: event.currentTarget.value })}
      />
    </>
  );
}
