import type { Terminal } from './terminal.ts';

const WIDTH = 30;
const REDRAWN_EVERY_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';

/**
 * Draws a progress bar on one line of stderr while `work` runs, and removes it at the end; draws nothing if stderr is not
 * a terminal. `onProgress` takes the share of the work done, from 0 to 1.
 */
export async function withProgress<Result>(
  terminal: Pick<Terminal, 'live' | 'err'>,
  label: string,
  work: (onProgress: (share: number) => void) => Promise<Result>,
): Promise<Result> {
  const draw = (share: number) => terminal.live && terminal.err(`${CLEAR_LINE}${barOf(label, share)}`);
  let drawnAt = Number.NEGATIVE_INFINITY;
  const onProgress = (share: number) => {
    const now = performance.now();
    if (now - drawnAt < REDRAWN_EVERY_MS) return;
    drawnAt = now;
    draw(share);
  };
  draw(0);
  return work(onProgress).finally(() => terminal.live && terminal.err(CLEAR_LINE));
}

/** Rounds down, so that 100 % appears only at the end. */
function barOf(label: string, share: number): string {
  const known = Math.min(Math.max(share, 0), 1);
  const filled = Math.floor(known * WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  return `${label} ${bar} ${String(Math.floor(known * 100)).padStart(3)} %`;
}
