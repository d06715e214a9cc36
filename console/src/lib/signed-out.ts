import { useSyncExternalStore } from 'react';

/** What the page did when the session ended: it read, or the operator requested an action. */
type Interrupted = 'reading' | 'doing';

let interrupted: Interrupted | null = null;
const listeners = new Set<() => void>();

function change(next: Interrupted | null): void {
  interrupted = next;
  for (const listener of listeners) listener();
}

/** Of several refusals, that of an action is the one to show. */
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
