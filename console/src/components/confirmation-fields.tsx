import { Button, PasswordInput, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type UseMutationResult, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmAtProvider, openIdQuery } from '../lib/openid.ts';
import { useSession } from '../lib/session.ts';
import classes from './confirmation-fields.module.css';
import { ErrorPanel } from './error-panel.tsx';

/** Credentials that the server requires again before a dangerous action. */
interface Confirmation {
  password: string;
  code: string;
}

const NOTHING: Confirmation = { password: '', code: '' };

/**
 * The operator's password, and a code if the operator has a second factor. They exist only in the dialog, and `clear` deletes
 * them. Who has no password signs in again at the OpenID provider instead.
 */
export function useConfirmation(
  why = 'This key can reveal card numbers or one-time passwords, so confirm your password.',
) {
  const [given, setGiven] = useState(NOTHING);
  const { hasPassword, hasSecondFactor: needsCode } = useSession().operator;
  const again = useMutation({ mutationFn: confirmAtProvider });
  const code = given.code.trim();
  if (!hasPassword)
    return {
      isComplete: again.isSuccess,
      body: {},
      clear: again.reset,
      fields: <ProviderField again={again} />,
    };
  return {
    isComplete: given.password !== '' && (code !== '' || !needsCode),
    body: { password: given.password, ...(needsCode && { code }) },
    clear: () => setGiven(NOTHING),
    fields: <ConfirmationFields {...{ why, needsCode, given }} onChange={setGiven} />,
  };
}

function ProviderField({ again }: { again: UseMutationResult<void, Error, void> }) {
  const { data: name = 'your sign-in provider' } = useQuery(openIdQuery);
  return (
    <div className={classes.provider}>
      <Button
        variant="default"
        loading={again.isPending}
        disabled={again.isSuccess}
        leftSection={again.isSuccess && <IconCheck size={16} />}
        onClick={() => again.mutate()}
      >
        {again.isSuccess ? 'Confirmed' : `Confirm with ${name}`}
      </Button>
      <span className={classes.why}>Opens a window in which you sign in again.</span>
      {again.error && <ErrorPanel error={again.error} />}
    </div>
  );
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
