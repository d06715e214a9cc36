import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { beginOpenIdSignIn, openIdQuery } from '../lib/openid.ts';
import { ErrorPanel } from './error-panel.tsx';

/** Nothing if there is no OpenID provider. */
export function OpenIdButton({ flow }: { flow: { next?: string; invitation?: string } }) {
  const { data: name } = useQuery(openIdQuery);
  const mutation = useMutation({
    mutationFn: () => beginOpenIdSignIn(flow),
    onSuccess: (url) => window.location.assign(url),
  });
  if (!name) return null;
  return (
    <>
      {mutation.error && <ErrorPanel error={mutation.error} />}
      <Button
        variant="default"
        fullWidth
        // Until the browser has left this page.
        loading={mutation.isPending || mutation.isSuccess}
        onClick={() => mutation.mutate()}
      >
        Sign in with {name}
      </Button>
    </>
  );
}
