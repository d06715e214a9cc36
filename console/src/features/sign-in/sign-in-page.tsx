import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { OpenIdButton } from '../../components/openid-button.tsx';
import { ApiError } from '../../lib/api.ts';
import { refusalWords } from '../../lib/openid.ts';
import { sessionQuery, signIn } from '../../lib/session.ts';
import { forgetSignedOut, useSignedOut } from '../../lib/signed-out.ts';
import { useTitle } from '../../lib/use-title.ts';
import classes from './sign-in-page.module.css';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  useTitle('Sign in');
  const { next, refused } = route.useSearch();
  const interrupted = useSignedOut();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const mutation = useMutation({
    mutationKey: ['session'],
    mutationFn: () => signIn(email, password, code),
    onError: (error) => {
      if (isAbout('code', error)) setNeedsCode(true);
      setCode('');
    },
    onSuccess: async (session) => {
      forgetSignedOut();
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      router.history.push(`/console${next ?? '/'}`);
    },
  });
  return (
    <main className={classes.page}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        <img src="/console/favicon.svg" alt="" width={44} height={44} />
        <h1 className={classes.title}>Sign in to Emboss</h1>
        {interrupted && (
          <p className={classes.notice} role="status">
            {interrupted === 'doing'
              ? 'You were signed out. Your last action was not saved; repeat it after you sign in.'
              : 'You were signed out. Sign in to continue.'}
          </p>
        )}
        {refused && (
          <p className={classes.refusal} role="alert">
            {refusalWords(refused)}
          </p>
        )}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {needsCode && (
          <TextInput
            label="Code"
            description="From your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        {mutation.error && <Refusal error={mutation.error} />}
        <Button type="submit" fullWidth loading={mutation.isPending}>
          Sign in
        </Button>
        <OpenIdButton flow={next === undefined ? {} : { next }} />
        <p className={classes.help}>
          No account, or lost your password or phone? An administrator adds people and resets both on the page
          People. If no administrator can sign in, run <code>emboss operator reset-password</code> or{' '}
          <code>reset-second-factor</code> on the server.
        </p>
      </form>
    </main>
  );
}

const isAbout = (field: string, error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && error.message.startsWith(`${field}: `);

function Refusal({ error }: { error: unknown }) {
  if (!(error instanceof ApiError) || error.status !== 401) return <ErrorPanel error={error} />;
  // No message: the code field appears instead.
  if (error.message === 'code: is required') return null;
  return (
    <p className={classes.refusal} role="alert">
      {isAbout('code', error)
        ? 'The code is wrong or was already used. Wait for the next one.'
        : 'The e-mail address or the password is wrong.'}{' '}
      Five failed attempts lock the account here for 30 minutes.
    </p>
  );
}
