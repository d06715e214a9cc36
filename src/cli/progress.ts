import type { Terminal } from './terminal.ts';

const WIDTH = 30;
const REDRAWN_EVERY_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';

export interface Progress {
  /** `share` of the work done, from 0 to 1. */
  tell(share: number): void;
  /** Removes the bar, so that later output begins on an empty line. */
  end(): void;
}

/** Draws a progress bar on one line of stderr; draws nothing if stderr is not a terminal. */
export function showProgress(terminal: Terminal, label: string): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  return {
    tell: (share) => {
      const now = performance.now();
      if (!terminal.live || now - drawnAt < REDRAWN_EVERY_MS) return;
      drawnAt = now;
      drawn = true;
      terminal.err(`${CLEAR_LINE}${barOf(label, share)}`);
    },
    end: () => {
      if (drawn) terminal.err(CLEAR_LINE);
      drawn = false;
    },
  };
}

/** Rounds down, so that 100 % appears only at the end. */
function barOf(label: string, share: number): string {
  const known = Math.min(Math.max(share, 0), 1);
  const filled = Math.floor(known * WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  return `${label} ${bar} ${String(Math.floor(known * 100)).padStart(3)} %`;
}
