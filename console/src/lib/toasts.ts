import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
}

const SHOWN_MS = 5_000;
let toasts: Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export const dismissToast = (id: number): void => change(toasts.filter((toast) => toast.id !== id));

/** A short confirmation at the edge of the screen. Most errors are shown where they happened instead. */
export function showToast(text: string, tone: Toast['tone'] = 'good'): void {
  const id = ++lastId;
  change([...toasts.slice(-2), { id, text, tone }]);
  setTimeout(() => dismissToast(id), SHOWN_MS);
}

export const useToasts = (): Toast[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
