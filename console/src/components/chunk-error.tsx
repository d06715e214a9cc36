import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { ApiError } from '../lib/api.ts';
import { type ChunkState, readChunkState, reloadOnce } from '../lib/chunks.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { Panel } from './page.tsx';

const RETRY_EVERY_MS = 3_000;

/** A page whose files could not be loaded. It waits for an unavailable server, and reloads when the server answers. */
export function ChunkError({ error }: { error: Error }) {
  const [state, setState] = useState<ChunkState>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const found = await readChunkState(error);
      setState(found);
      if (found === 'away') timer = setTimeout(() => void look(), RETRY_EVERY_MS);
      else reloadOnce();
    };
    void look();
    return () => clearTimeout(timer);
  }, [error]);
  if (state === undefined) return null;
  if (state === 'away') return <ErrorPanel error={new ApiError(0, 'The server cannot be reached.')} />;
  return (
    <Panel>
      <EmptyState
        icon={IconAlertTriangle}
        title={state === 'gone' ? 'The console was upgraded' : 'This page could not be displayed'}
        action={
          <Button variant="default" mt="sm" onClick={() => globalThis.location.reload()}>
            Reload the page
          </Button>
        }
      >
        Reload to get the current version. Completed changes are saved.
      </EmptyState>
    </Panel>
  );
}
