import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { SecretModal } from '../../components/secret-modal.tsx';
import { programApi } from '../../lib/api.ts';
import type {
  NewNotificationWebhook,
  NotificationPreferences,
  NotificationTest,
} from '../../lib/api-types.gen.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Message } from '../../lib/types.ts';
import classes from './notifications.module.css';
import { preferencesQuery } from './queries.ts';

/** The operator's e-mail address and webhook, each with a test. */
export function Ways({
  programId,
  preferences: { email, webhook },
}: {
  programId: string;
  preferences: NotificationPreferences;
}) {
  const api = programApi(programId);
  const queryClient = useQueryClient();
  const [url, setUrl] = useState<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const reload = () => queryClient.invalidateQueries(preferencesQuery(programId));
  const test = useMutation({
    mutationFn: (channel: 'email' | 'webhook') =>
      api.post<NotificationTest>('notifications/test/', { channel }),
    onSuccess: ({ error }) => error === null && showToast('Test sent'),
  });
  const save = useMutation({
    mutationFn: (given: string) => api.put<NewNotificationWebhook>('notifications/webhook/', { url: given }),
    onSuccess: (made) => {
      setUrl(null);
      setSecret(made.secret);
      return reload();
    },
  });
  const remove = useMutation({
    mutationFn: () => api.delete<Message>('notifications/webhook/'),
    onSuccess: () => {
      showToast('Webhook removed');
      return reload();
    },
  });
  const testButton = (channel: 'email' | 'webhook') => (
    <Button
      variant="default"
      size="xs"
      aria-label={`Send a test by ${channel === 'email' ? 'e-mail' : 'webhook'}`}
      loading={test.isPending && test.variables === channel}
      onClick={() => test.mutate(channel)}
    >
      Send a test
    </Button>
  );
  const failed = test.error ?? save.error ?? remove.error;
  return (
    <>
      <div className={classes.way}>
        {email === null ? (
          <span>E-mail is not available: this server has no mail server.</span>
        ) : (
          <>
            <span>E-mail goes to {email}.</span>
            {testButton('email')}
          </>
        )}
      </div>
      {url === null ? (
        <div className={classes.way}>
          <span>{webhook === null ? 'You have no webhook.' : `Your webhook: ${webhook}`}</span>
          <span className={classes.buttons}>
            {webhook !== null && testButton('webhook')}
            <Button variant="default" size="xs" onClick={() => setUrl('')}>
              {webhook === null ? 'Add webhook' : 'Replace'}
            </Button>
            {webhook !== null && (
              <Button variant="default" size="xs" loading={remove.isPending} onClick={() => remove.mutate()}>
                Remove
              </Button>
            )}
          </span>
        </div>
      ) : (
        <form
          className={classes.way}
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(url);
          }}
        >
          <TextInput
            label="URL of your webhook"
            placeholder="https://example.com/hooks"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
            flex="1 1 260px"
            data-autofocus
            autoFocus
          />
          <span className={classes.buttons}>
            <Button variant="default" onClick={() => setUrl(null)}>
              Cancel
            </Button>
            <Button type="submit" disabled={url === ''} loading={save.isPending}>
              Save webhook
            </Button>
          </span>
        </form>
      )}
      {test.data?.error && (
        <p role="alert" className={classes.fault}>
          The test did not arrive: {test.data.error}.
        </p>
      )}
      {failed && <ErrorPanel error={failed} />}
      <SecretModal title="Webhook saved" secret={secret} onClose={() => setSecret(null)}>
        Each request is signed with this secret, as webhooks of the program are. A receiver that does not
        check signatures does not need it.
      </SecretModal>
    </>
  );
}
