import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** All that a process has in memory, as a dump of it would show: live, freed and not yet overwritten. Linux only. */
export function readMemory(pid: number): Buffer[] {
  const file = openSync(`/proc/${pid}/mem`, 'r');
  try {
    return readFileSync(`/proc/${pid}/maps`, 'latin1')
      .split('\n')
      .flatMap((line) => {
        const [, from, to] = /^([\da-f]+)-([\da-f]+) rw/.exec(line) ?? [];
        return from && to ? [readRange(file, BigInt(`0x${from}`), BigInt(`0x${to}`))] : [];
      });
  } finally {
    closeSync(file);
  }
}

const STEP_BYTES = 16_777_216;

function readRange(file: number, from: bigint, to: bigint): Buffer {
  const bytes = Buffer.alloc(Number(to - from));
  for (let at = 0; at < bytes.length; ) {
    try {
      at += readSync(file, bytes, at, Math.min(STEP_BYTES, bytes.length - at), from + BigInt(at));
    } catch {
      // A part that is reserved and was never used cannot be read.
      at += STEP_BYTES;
    }
  }
  return bytes;
}
