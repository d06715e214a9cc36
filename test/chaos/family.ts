import { readFileSync } from 'node:fs';

/** With its children: if only the postmaster were killed, its backends would still end in order. */
export function familyOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return [pid, ...children.filter(Boolean).map(Number)];
  } catch {
    return [pid];
  }
}

/** Whether the first process was running. */
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
