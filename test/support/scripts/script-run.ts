/** Starts something, and registers how it is ended. */
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
    // After a stop, the work does not continue here.
    if (isOver) return new Promise(() => {});
    const started = (async () => start())();
    // What is still starting is awaited, so that it is ended too.
    ends.push(() => started.then(end, () => {}));
    return started.then((it) => (isOver ? new Promise<never>(() => {}) : it));
  };
  const stopped = new Promise<number>((stop, fail) => {
    const onSignal = (signal: string) => {
      if (!isOver) process.stderr.write(`${signal}: ending what was started\n`);
      stop(FAILED);
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    // An error that is not awaited, such as that of an ended database, must not prevent the end of the rest.
    process.on('uncaughtException', fail);
  });
  let code = await Promise.race([work(keep), stopped]).catch(printError);
  isOver = true;
  for (let end = ends.pop(); end; end = ends.pop())
    await end().catch((error) => {
      code = printError(error);
    });
  return process.exit(code);
}

function printError(error: unknown): number {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  return FAILED;
}
