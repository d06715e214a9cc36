/** Starts something that has an end: whoever starts it says which. */
export type Keep = <T>(start: () => T | Promise<T>, end: (started: T) => unknown) => Promise<T>;

const FAILED = 1;

/**
 * Does the work of a script and ends with the code that it comes to. What was started is ended, the last first: when the
 * work is done, when it fails, and when Ctrl-C or SIGTERM stops it. These come twice, from the terminal and from npm: the
 * second must not end what the first has begun.
 */
export async function runScript(work: (keep: Keep) => Promise<number>): Promise<never> {
  const ends: Array<() => Promise<unknown>> = [];
  let isOver = false;
  const keep: Keep = (start, end) => {
    // Who is stopped comes until here, and no further.
    if (isOver) return new Promise(() => {});
    const started = (async () => start())();
    // What is only being started is waited for: else nobody would end it.
    ends.push(() => started.then(end, () => {}));
    return started.then((it) => (isOver ? new Promise<never>(() => {}) : it));
  };
  const stopped = new Promise<number>((stop, fail) => {
    const onSignal = (signal: string) => {
      if (!isOver) process.stderr.write(`${signal}: ending what was started\n`);
      stop(FAILED);
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    // Also what nobody waits for may fail, or fails because its database was ended: the rest is ended all the same.
    process.on('uncaughtException', fail);
  });
  let code = await Promise.race([work(keep), stopped]).catch(tell);
  isOver = true;
  for (let end = ends.pop(); end; end = ends.pop())
    await end().catch((error) => {
      code = tell(error);
    });
  return process.exit(code);
}

function tell(error: unknown): number {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  return FAILED;
}
