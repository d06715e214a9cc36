/** Calls that arrive within `ms` of the last start, or while it is still running, share its result. */
export function shareRecent<Result>(ms: number, build: () => Promise<Result>): () => Promise<Result> {
  let recent: { result: Promise<Result>; startedMs: number; isRunning: boolean } | undefined;
  return () => {
    const nowMs = performance.now();
    if (recent && (recent.isRunning || nowMs - recent.startedMs < ms)) return recent.result;
    const started = { result: build(), startedMs: nowMs, isRunning: true };
    const end = () => {
      started.isRunning = false;
    };
    started.result.then(end, end);
    recent = started;
    return started.result;
  };
}
