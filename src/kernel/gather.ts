/** Runs the work at its turn. Calls that arrive until then join the batch. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Gathers concurrent calls into batches. A call that finds no batch running starts one with the calls that arrive
 * in this turn of the event loop; those that arrive while a batch runs form the next one. There is no timer: an idle
 * server answers immediately, and a busy one pays for one round trip where it had paid for many. Every batch starts
 * after its calls arrived, so that none is answered from before its time. An answer may be a promise: that call waits
 * for it, the next batch does not.
 */
export function gather<In, Out>(
  run: (inputs: In[]) => Promise<Array<Out | Promise<Out>>>,
  maxBatch = 512,
  inTurn: InTurn = (work) => work(),
): (input: In) => Promise<Out> {
  interface Waiting {
    input: In;
    resolve: (output: Out | Promise<Out>) => void;
    reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let running = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const answer = await inTurn(() => runBatch(waiting.splice(0, maxBatch)));
      // Start the next batch first; the database works while we answer.
      if (waiting.length > 0) setImmediate(answer);
      else answer();
    }
    running = false;
  }

  /** Gives the function that hands out the answers. */
  async function runBatch(batch: readonly Waiting[]): Promise<() => void> {
    try {
      const outputs = await run(batch.map((item) => item.input));
      // Prevents an unhandled rejection; the caller gets the error.
      for (const output of outputs) if (output instanceof Promise) output.catch(() => {});
      return () => {
        for (const [index, item] of batch.entries()) item.resolve(outputs[index] as Out | Promise<Out>);
      };
    } catch (error) {
      return () => {
        for (const item of batch) item.reject(error);
      };
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (running) return;
      running = true;
      setImmediate(() => void drain());
    });
}
