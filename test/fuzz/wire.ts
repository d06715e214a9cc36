import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Reply {
  status: number;
  headers: Map<string, string>;
  text: string;
  /** Of all its bytes, head and body. */
  length: number;
}

/** How bytes travel: at once, in pieces, in pieces with pauses, or not to their end. */
export type Delivery = 'whole' | 'split' | 'slow' | 'cut';

export interface Connection {
  /**
   * Sends the bytes and reads one answer. Undefined: the server closed without one. After a request with `last` the
   * end of its answer is not certain, so the connection is not used again. The client ends a broken request once the
   * server waits for more.
   */
  call(
    bytes: Buffer,
    how: { delivery: Delivery; isHead: boolean; last: boolean; isBroken: boolean },
  ): Promise<Reply | undefined>;
  /** Sends several requests in one packet, on a connection of its own, and reads all that comes until it is closed. */
  sendTogether(bytes: Buffer): Promise<Reply[]>;
  close(): void;
}

export class Hang extends Error {}

const PIECES = 6;
const PAUSE_MS = 15;
/** A request that is whole is answered long before. Ending it earlier would leave its outcome unknown. */
const WAITS_FOR_MORE_MS = 3_000;

/** One connection as a client keeps it open, bytes in and bytes out: nothing repairs what we send. */
export function openConnection(url: string, limitMs: number): Connection {
  const { hostname, port } = new URL(url);
  let socket: Socket | undefined;
  const close = (): void => {
    socket?.destroy();
    socket = undefined;
  };
  const use = (): Socket => {
    if (!socket || socket.destroyed || !socket.writable) {
      socket = connect({ port: Number(port), host: hostname, noDelay: true });
      socket.on('error', () => {});
    }
    return socket;
  };
  return {
    close,
    call: async (bytes, { delivery, isHead, last, isBroken }) => {
      const current = use();
      const reply = readReply(current, isHead, limitMs);
      // A request that is cut short gets no response.
      if (delivery === 'cut') reply.catch(() => {});
      await write(current, bytes, delivery);
      if (delivery === 'cut') {
        close();
        return undefined;
      }
      // Nothing more comes, so a server that waits for the rest of the body need not wait for its timeout.
      const timer = isBroken ? setTimeout(() => current.end(), WAITS_FOR_MORE_MS) : undefined;
      const answer = await reply.finally(() => {
        clearTimeout(timer);
        if (last) close();
      });
      if (!answer || answer.headers.get('connection')?.toLowerCase() === 'close') close();
      return answer;
    },
    sendTogether: async (bytes) => {
      const current = connect({ port: Number(port), host: hostname, noDelay: true });
      current.on('error', () => {});
      current.write(bytes);
      const received = await readAll(current, limitMs);
      return parseReplies(received);
    },
  };
}

function readAll(socket: Socket, limitMs: number): Promise<Buffer> {
  return new Promise((resolve, fail) => {
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      fail(new Hang(`the connection is open after ${limitMs} ms`));
    }, limitMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
  });
}

/** All answers in the bytes; what is left over at the end is one more, of status 0. */
function parseReplies(bytes: Buffer): Reply[] {
  const replies: Reply[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const reply = parseReply(rest, false, false);
    replies.push(reply ?? { status: 0, headers: new Map(), text: rest.toString(), length: rest.length });
    rest = rest.subarray(reply?.length ?? rest.length);
  }
  return replies;
}

async function write(socket: Socket, bytes: Buffer, delivery: Delivery): Promise<void> {
  if (delivery === 'whole') {
    socket.write(bytes);
    return;
  }
  const end = delivery === 'cut' ? Math.floor(bytes.length * 0.7) : bytes.length;
  const step = Math.max(1, Math.ceil(end / PIECES));
  for (let at = 0; at < end && !socket.destroyed; at += step) {
    socket.write(bytes.subarray(at, Math.min(at + step, end)));
    await (delivery === 'slow' ? pause(PAUSE_MS) : new Promise(setImmediate));
  }
}

function readReply(socket: Socket, isHead: boolean, limitMs: number): Promise<Reply | undefined> {
  return new Promise((answer, fail) => {
    let bytes = Buffer.alloc(0);
    const finish = (result: Reply | undefined): void => {
      clearTimeout(timer);
      socket.off('data', take).off('close', closed);
      answer(result);
    };
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const reply = parseReply(bytes, isHead, false);
      if (reply) finish(reply);
    };
    const closed = (): void => finish(parseReply(bytes, isHead, true));
    const timer = setTimeout(() => {
      socket.destroy();
      socket.off('data', take).off('close', closed);
      fail(new Hang(`no answer within ${limitMs} ms`));
    }, limitMs);
    socket.on('data', take).on('close', closed);
    if (socket.destroyed) closed();
  });
}

/** The first final answer in the bytes, once it is whole. */
function parseReply(bytes: Buffer, isHead: boolean, isEnd: boolean): Reply | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const rest = bytes.subarray(headEnd + 4);
  if (status >= 100 && status < 200) {
    const final = parseReply(rest, isHead, isEnd);
    return final && { ...final, length: final.length + headEnd + 4 };
  }
  // Of several with one name the first counts.
  const headers = new Map(
    lines
      .reverse()
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  );
  const body = isHead || status === 204 || status === 304 ? NO_BODY : bodyOf(rest, headers, isEnd);
  return body && { status, headers, text: body.text.toString(), length: headEnd + 4 + body.length };
}

interface Body {
  text: Buffer;
  /** Of the bytes that it took. */
  length: number;
}
const NO_BODY: Body = { text: Buffer.alloc(0), length: 0 };

function bodyOf(rest: Buffer, headers: Map<string, string>, isEnd: boolean): Body | undefined {
  const length = headers.get('content-length');
  if (length !== undefined)
    return rest.length >= Number(length)
      ? { text: rest.subarray(0, Number(length)), length: Number(length) }
      : undefined;
  if (headers.get('transfer-encoding') !== 'chunked')
    return isEnd ? { text: rest, length: rest.length } : undefined;
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString(), 16);
    if (rest.length < lineEnd + 2 + size + 2) return undefined;
    if (size === 0) return { text: Buffer.concat(parts), length: lineEnd + 4 };
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
