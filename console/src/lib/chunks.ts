import { noteAnswer } from './connection.ts';

/** A part of the console that could not be loaded. */
const FAILED = 'ChunkError';

/**
 * Names errors of the bundler. The router would reload the page for some of them: while the server is unavailable, that
 * shows the error page of the browser.
 */
export function watchChunks(): void {
  globalThis.addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { payload: Error };
    payload.name = FAILED;
    payload.message = `A part of the console was not loaded. ${payload.message}`;
  });
}

export const isChunkError = (error: unknown): error is Error =>
  error instanceof Error && error.name === FAILED;

export type ChunkState = 'away' | 'gone' | 'there';

const AWAY_FROM_STATUS = 502;

/** Whether the server answers, and still has the file; without the name of the file, its first page. */
export async function readChunkState({ message }: Error): Promise<ChunkState> {
  const [url = '/console/'] = /\S+\/assets\/\S+/.exec(message) ?? [];
  const response = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  const answered = response !== null && response.status < AWAY_FROM_STATUS;
  noteAnswer(answered);
  if (!answered) return 'away';
  return response.status === 404 ? 'gone' : 'there';
}

const RELOADED = 'emboss.reloaded';
const NOT_AGAIN_WITHIN_MS = 60_000;

/** Reloads the page, unless that was done just now: a file that is missing for good must not cause a loop. */
export function reloadOnce(): void {
  try {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < NOT_AGAIN_WITHIN_MS) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    // Without storage a loop could not be noticed: the operator reloads.
    return;
  }
  globalThis.location.reload();
}
