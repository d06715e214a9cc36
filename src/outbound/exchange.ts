import http from 'node:http';
import https from 'node:https';
import { readAnswer } from './read-answer.ts';
import { failureOf } from './send-failure.ts';

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
  /** One limit for the whole request: name resolution, connection, TLS and the response to its last byte. */
  timeoutMs: number;
  signal?: AbortSignal;
  /**
   * Requests the whole body of a response with status 200, up to this size. Such a response counts only once all of it has
   * arrived.
   */
  wholeAnswerBytes?: number;
  /** How much of the response is kept to be shown; a kilobyte if not given. */
  startBytes?: number;
  /** Opens a connection for this request alone, which cannot have been closed meanwhile. */
  isFresh?: boolean;
  /** Does not send again if a reused connection broke: the caller does. */
  isOnce?: boolean;
}

/** A URL in parts. */
export interface Target {
  options: http.RequestOptions;
  /** Its host, if that is an IP address. */
  address: string | undefined;
}
export type Targeted = Post & { target: Target };

export interface Answer {
  statusCode: number;
  /** The header, unparsed. */
  retryAfter: string | undefined;
  /** The first `startBytes`, safe to store and show. */
  answerStart: string;
  /**
   * The body, exactly as it was sent, with `wholeAnswerBytes`; undefined if it was longer. It is for the server itself:
   * unlike `answerStart`, it may contain card numbers and come from an address whose responses are not shown.
   */
  answer: Buffer | undefined;
}

/** With the address of the receiver. */
export type Received = Answer & { address: string };

export interface Agents {
  http: http.Agent;
  https: https.Agent;
}

/**
 * The longest time before the next address of a host is tried. Node's default of 250 ms is too short for receivers
 * overseas; a request with a short limit must still have time for another address.
 */
const NEXT_ADDRESS_MS = 1_500;
const START_BYTES = 1_024;
/** Longer than any date. */
const RETRY_AFTER_LENGTH = 64;
/** Responses before the response, such as 103 Early Hints. Each costs CPU time, and a receiver could send them without end. */
const MOST_INTERIM = 3;
const STOPPED = 'cancelled: the server is stopping';
const LOST = 'connection lost';
const STALE = new Set<string | undefined>(['ECONNRESET', 'EPIPE']);

/**
 * Sends one request. The response counts as soon as its headers arrive: the receiver has decided, however the body
 * ends. If the whole body is requested, a body that is late or breaks off is a failure instead. Undefined if a reused
 * connection broke before the response began: the receiver was closing the idle connection, and the request can be sent
 * again immediately.
 */
export function exchange(post: Targeted, agents: Agents, leftMs: number): Promise<Received | undefined> {
  // Checked before the request is created: Node 24 connects even for a request that is aborted immediately, and keeps
  // the connection.
  if (post.signal?.aborted) return Promise.reject(failureOf(STOPPED));
  return new Promise((resolve, reject) => {
    const outgoing = open(post, agents);
    let answered = false;
    let wantsWhole = post.wholeAnswerBytes !== undefined;
    // Rejects at once: after a reset, Node ends a body without a length as if it were complete.
    const fail = (error: Error) => {
      if (!answered || wantsWhole) reject(error);
    };
    const cut = (error: Error) => {
      fail(error);
      outgoing.destroy();
    };
    const timer = setTimeout(() => {
      const missing = answered ? 'no complete response' : 'no response';
      cut(failureOf(`${missing} within ${post.timeoutMs / 1000} s`, 'timeout'));
    }, leftMs);
    const stop = () => cut(failureOf(STOPPED));
    post.signal?.addEventListener('abort', stop);

    // Recorded on connect: a closed socket no longer has its remote address.
    let address = '';
    outgoing.on('socket', (socket) => {
      const note = () => {
        address = socket.remoteAddress ?? '';
      };
      if (socket.connecting) socket.once('connect', note);
      else note();
    });
    let interim = 0;
    const countInterim = () => {
      if (++interim <= MOST_INTERIM) return;
      outgoing.off('information', countInterim);
      cut(failureOf('too many interim responses', 'invalid'));
    };
    outgoing.on('information', countInterim);
    outgoing.on('response', (response) => {
      answered = true;
      const { statusCode = 0, headers } = response;
      wantsWhole &&= statusCode === 200;
      const retryAfter = headers['retry-after']?.slice(0, RETRY_AFTER_LENGTH);
      const wholeBytes = wantsWhole ? post.wholeAnswerBytes : undefined;
      readAnswer(response, wholeBytes, post.startBytes ?? START_BYTES, ({ answerStart, answer, end }) => {
        if (wantsWhole && end === undefined) reject(failureOf(LOST));
        else resolve({ statusCode, retryAfter, answerStart, answer, address });
      });
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && !answered && STALE.has(error.code)) resolve(undefined);
      else fail(error);
    });
    outgoing.on('close', () => {
      clearTimeout(timer);
      post.signal?.removeEventListener('abort', stop);
      // For example after a response that switches protocols. Once there is a response, its own end decides.
      if (!answered) reject(failureOf(LOST));
    });
    outgoing.end(post.body);
  });
}

function open({ target, headers, body, timeoutMs }: Targeted, agents: Agents): http.ClientRequest {
  const isSecure = target.options.protocol === 'https:';
  const settings = {
    ...target.options,
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    autoSelectFamilyAttemptTimeout: Math.min(NEXT_ADDRESS_MS, Math.ceil(timeoutMs / 4)),
    agent: isSecure ? agents.https : agents.http,
  };
  return (isSecure ? https : http).request(settings);
}
