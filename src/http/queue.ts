const MAX_WAIT_MS = 30_000;

/**
 * Work with one key runs one after the other in this process. Work that waits too long for its turn throws what `tooLate`
 * returns.
 */
export function createQueue(tooLate: () => Error) {
  const underWay = new Map<string, Promise<unknown>>();
  return async <Result>(key: string, run: () => Promise<Result>): Promise<Result> => {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (let ahead = underWay.get(key); ahead; ahead = underWay.get(key)) {
      // Copies run one after the other and each may time out; the last must not wait for the sum.
      if (performance.now() > deadline) throw tooLate();
      await ahead.catch(() => {});
    }
    const running = run();
    underWay.set(key, running);
    try {
      return await running;
    } finally {
      underWay.delete(key);
    }
  };
}
