import { readFileSync } from 'node:fs';

/** With its children: a postmaster alone would leave its backends time to end in good order. */
export function familyOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return [pid, ...children.filter(Boolean).map(Number)];
  } catch {
    return [pid];
  }
}

/** Whether the first of them was there to get it. */
export function signal(pids: readonly number[], name: NodeJS.Signals | 0): boolean {
  const met = pids.map((pid) => {
    try {
      return process.kill(pid, name);
    } catch {
      return false;
    }
  });
  return met[0] === true;
}
