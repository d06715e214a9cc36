import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OpenIdButton } from '../../components/openid-button.tsx';
import { ApiError, send } from '../../lib/api.ts';
import type { OpenInvitation } from '../../lib/api-types.gen.ts';
import { ROLE_TEXTS } from '../../lib/role-texts.gen.ts';
import { ROLE_NAMES } from '../../lib/role-words.ts';
import { acceptInvitation, sessionQuery } from '../../lib/session.ts';
import { useTitle } from '../../lib/use-title.ts';
import classes from '../sign-in/sign-in-page.module.css';

export function InvitationPage() {
  useTitle('Invitation');
  const [token] = useState(() => window.location.hash.slice(1));
  const query = useQuery({
    queryKey: ['invitation'],
    queryFn: () => send<OpenInvitation>('POST', 'session/invitation/', { body: { token } }),
    retry: false,
    gcTime: 0,
  });
  return (
    <main className={classes.page}>
      <div className={classes.form}>
        <img src="/console/favicon.svg" alt="" width={44} height={44} />
        <h1 className={classes.title}>Join Emboss</h1>
        {query.error instanceof ApiError && query.error.status === 404 ? (
          <p className={classes.refusal} role="alert">
            This invitation was used, was revoked or has expired. Ask an administrator for a new one.
          </p>
        ) : (
          <Loaded query={query} outline={null}>
            {(invitation) => <Acceptance invitation={invitation} token={token} />}
          </Loaded>
        )}
      </div>
    </main>
  );
}

function Acceptance({ invitation, token }: { invitation: OpenInvitation; token: string }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [name, setName] = useState(invitation.name);
  const [password, setPassword] = useState('');
  const mutation = useMutation({
    mutationKey: ['session'],
    mutationFn: () => acceptInvitation(token, name.trim(), password),
    onSuccess: (session) => {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      router.history.replace('/console/');
    },
  });
  return (
    <form
      className={classes.fields}
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate();
      }}
    >
      <p className={classes.help}>
        You are invited as <strong>{ROLE_NAMES[invitation.role]}</strong>
        {invitation.role === 'viewer' ? ' to ' : ': everything a viewer sees, and '}
        {ROLE_TEXTS[invitation.role]}.
      </p>
      <TextInput label="E-mail" type="email" autoComplete="username" readOnly value={invitation.email} />
      <TextInput
        label="Name"
        description="Shown in the history of cards and in the audit log."
        autoComplete="name"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        description="At least 12 characters, with letters and digits."
        autoComplete="new-password"
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {mutation.error && <ErrorPanel error={mutation.error} />}
      <Button
        type="submit"
        fullWidth
        disabled={name.trim() === '' || password === ''}
        loading={mutation.isPending}
      >
        Create account
      </Button>
      <OpenIdButton flow={{ invitation: token }} />
    </form>
  );
}
