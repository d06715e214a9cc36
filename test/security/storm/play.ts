import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Script, Step } from './script.ts';

const LONGEST_READ_MS = 3_000;
const QUIET_MS = 10;
/** After its half the client closes too, whether or not the server did. */
const LONGEST_END_MS = 40;
const LONGEST_CONNECT_MS = 10_000;

/** Plays one connection to its end; returns how many bytes came back. */
export async function play(port: number, { reads, steps }: Script): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true });
  socket.on('error', () => {});
  await event(socket, LONGEST_CONNECT_MS, 'connect', 'close');
  if (reads) socket.resume();
  let known = 0;
  for (const step of steps) {
    if (socket.destroyed) break;
    await take(socket, step, known);
    if (step.do === 'read') known = socket.bytesRead;
  }
  socket.destroy();
  return socket.bytesRead;
}

async function take(socket: Socket, step: Step, known: number): Promise<void> {
  if (step.do === 'send') socket.write(step.bytes, 'latin1');
  else if (step.do === 'wait') await pause(step.ms);
  else if (step.do === 'read') await read(socket, step.until, known);
  else if (step.do === 'reset') socket.resetAndDestroy();
  else if (step.do === 'end') {
    socket.end();
    await event(socket, LONGEST_END_MS, 'close');
  }
}

/** Waits for the first new bytes; then, if wanted, until nothing more comes. */
async function read(socket: Socket, until: 'first' | 'quiet', known: number): Promise<void> {
  if (socket.bytesRead === known && !socket.readableEnded)
    await event(socket, LONGEST_READ_MS, 'data', 'end', 'close');
  socket.resume();
  if (until === 'first') return;
  for (let seen = -1; seen !== socket.bytesRead && !socket.readableEnded; ) {
    seen = socket.bytesRead;
    await event(socket, QUIET_MS, 'end', 'close');
  }
}

/** Resolves with the first of them, or when the time is over. */
const event = (socket: Socket, ms: number, ...names: string[]): Promise<void> =>
  new Promise((happened) => {
    const done = () => {
      clearTimeout(timer);
      for (const name of names) socket.off(name, done);
      happened();
    };
    const timer = setTimeout(done, ms);
    for (const name of names) socket.on(name, done);
  });
