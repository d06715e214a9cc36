import { afterEach, expect, vi } from 'vitest';
import { type CliAnswer, runCli } from './cli.ts';

/** `emboss listen`, running in this process. */
export interface Listener {
  lines(): string[];
  errors(): string;
  end(): Promise<CliAnswer>;
}

/** Starts the command and waits until it listens; what a test started ends with it. */
export function listenersForTests() {
  const running: Listener[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map(({ end }) => end()));
  });
  return async (env: Record<string, string>, args: string[]): Promise<Listener> => {
    const stop = new AbortController();
    let [out, err] = ['', ''];
    const ended = runCli(env, args, {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      stop: stop.signal,
    });
    const listener = {
      lines: () => out.split('\n').filter((line) => line !== ''),
      errors: () => err,
      end: () => {
        stop.abort();
        return ended;
      },
    };
    running.push(listener);
    await vi.waitFor(() => expect(out).toMatch(/listening/i), { timeout: 60_000 });
    return listener;
  };
}
