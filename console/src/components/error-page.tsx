import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../lib/api.ts';
import { isChunkError } from '../lib/chunks.ts';
import { ChunkError } from './chunk-error.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { Page, Panel } from './page.tsx';

const RETRY_EVERY_MS = 5_000;

/** Shown instead of a page that failed: the server's message, or for an error of the console a reload button. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  const isAway = error instanceof ApiError && (error.status === 0 || error.status >= 502);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is done again is the same each time.
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(again, RETRY_EVERY_MS);
    return () => clearInterval(timer);
  }, [isAway]);
  return (
    <Page title="Something went wrong">
      {error instanceof ApiError ? (
        <ErrorPanel error={error} retry={again} />
      ) : isChunkError(error) ? (
        <ChunkError error={error} />
      ) : (
        <Panel>
          <EmptyState
            icon={IconAlertTriangle}
            title="This page could not be displayed"
            action={
              <Button variant="default" mt="sm" onClick={() => window.location.reload()}>
                Reload the page
              </Button>
            }
          >
            The console has a fault here. Reload the page; if that does not help, tell your server
            administrator. Completed changes are saved.
          </EmptyState>
        </Panel>
      )}
    </Page>
  );
}
