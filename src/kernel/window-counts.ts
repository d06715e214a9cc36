/** Counts recent occurrences for each of many keys. */
export interface WindowCounts {
  /** Adds one and returns the count in the key's current window. */
  add(key: string, nowMs: number): number;
  read(key: string, nowMs: number): number;
  /** How long until the key's current window ends. */
  leftMs(key: string, nowMs: number): number;
}

/**
 * A key's window begins with its first count. Memory is bounded: where there would be more than `mostKeys`, the window
 * that began first is forgotten. A call costs the same however many keys there are.
 */
export function countInWindows(windowMs: number, mostKeys: number): WindowCounts {
  /** Ordered by start, so that expired windows come first. */
  const windows = new Map<string, { endsMs: number; count: number }>();
  const present = (key: string, nowMs: number) => {
    const window = windows.get(key);
    return window && window.endsMs > nowMs ? window : undefined;
  };
  return {
    add: (key, nowMs) => {
      const window = present(key, nowMs);
      if (window) return ++window.count;
      windows.delete(key);
      if (windows.size >= mostKeys) windows.delete(windows.keys().next().value as string);
      windows.set(key, { endsMs: nowMs + windowMs, count: 1 });
      return 1;
    },
    read: (key, nowMs) => present(key, nowMs)?.count ?? 0,
    leftMs: (key, nowMs) => (present(key, nowMs)?.endsMs ?? nowMs) - nowMs,
  };
}
