/** For `vi.waitFor`, which would give up after a second: long on a quiet machine, and nothing on a busy one. */
export const SOON = { timeout: 60_000 };
