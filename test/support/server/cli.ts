import { runCommandLine } from '../../../src/cli/emboss.ts';
import type { Terminal } from '../../../src/cli/terminal.ts';
import { runSettings } from '../database/database.ts';

export interface CliAnswer {
  code: number;
  out: string;
  err: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into documents freely
  json: any;
}

/** Runs the command in this process with an environment of its own; `json` is stdout, when it is JSON. */
export async function runCli(
  env: Record<string, string>,
  args: string[],
  more: Partial<Terminal> = {},
): Promise<CliAnswer> {
  let out = '';
  let err = '';
  const code = await runCommandLine(args, {
    env: { ...runSettings(), ...env },
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    color: false,
    ...more,
  });
  return { code, out, err, json: parse(out) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
