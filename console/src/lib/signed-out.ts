import { useSyncExternalStore } from 'react';

/** What the page was at when the server knew it no more: it read, or somebody had asked for something to be done. */
type Interrupted = 'reading' | 'doing';

let interrupted: Interrupted | null = null;
const listeners = new Set<() => void>();

function change(next: Interrupted | null): void {
  interrupted = next;
  for (const listener of listeners) listener();
}

/** Of several refusals at once, that of something asked for is the one to be told. */
export const noteSignedOut = (by: Interrupted): void => {
  if (interrupted !== 'doing') change(by);
};

export const forgetSignedOut = (): void => change(null);

export const useSignedOut = (): Interrupted | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => interrupted,
  );
