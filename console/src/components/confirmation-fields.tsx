import { PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../lib/session.ts';

/** Credentials that the server requires again before a dangerous action. */
interface Confirmation {
  password: string;
  code: string;
}

const NOTHING: Confirmation = { password: '', code: '' };

/** The operator's password, and a code if the operator has a second factor. They exist only in the dialog, and `clear` deletes them. */
export function useConfirmation(
  why = 'This key can reveal card numbers or one-time passwords, so confirm your password.',
) {
  const [given, setGiven] = useState(NOTHING);
  const needsCode = useSession().operator.hasSecondFactor;
  const code = given.code.trim();
  return {
    isComplete: given.password !== '' && (code !== '' || !needsCode),
    body: { password: given.password, ...(needsCode && { code }) },
    clear: () => setGiven(NOTHING),
    fields: <ConfirmationFields {...{ why, needsCode, given }} onChange={setGiven} />,
  };
}

function ConfirmationFields({
  why,
  needsCode,
  given,
  onChange,
}: {
  why: string;
  needsCode: boolean;
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
      {needsCode && (
        <TextInput
          label="Code"
          description="From your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          maxLength={64}
          value={given.code}
          onChange={(event) => onChange({ ...given, code: event.currentTarget.value })}
        />
      )}
    </>
  );
}
