import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What Linux counts in, on every machine. */
const TICK_MS = 10;

/** Other systems do not report the CPU time of another user's process. */
export const knowsCpuTime = (): boolean => existsSync('/proc/self/stat');

interface ProcessTimes {
  parent: number;
  ms: number;
  /** With what its children used that have ended. */
  withEndedMs: number;
}

export const cpuMs = (pid: number): number => readTimes(pid)?.ms ?? 0;

/** Of a process and all its children, also those that have ended meanwhile: PostgreSQL as a whole. */
export function familyCpuMs(parent: number): number {
  if (!knowsCpuTime()) return 0;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = pids.map((pid) => readTimes(Number(pid))).filter((times) => times?.parent === parent);
  return [readTimes(parent), ...children].reduce((sum, times) => sum + (times?.withEndedMs ?? 0), 0);
}

export const parentOf = (pid: number): number => readTimes(pid)?.parent ?? 0;

/** Undefined once the process has ended. */
function readTimes(pid: number): ProcessTimes | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is the program's name in brackets and may hold anything; the third begins after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  const ms = (field(14) + field(15)) * TICK_MS;
  return { parent: field(4), ms, withEndedMs: ms + (field(16) + field(17)) * TICK_MS };
}
