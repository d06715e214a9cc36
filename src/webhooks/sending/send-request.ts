import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { hostOf } from '../endpoint-url.ts';
import { isAllowedAddress } from './allowed-address.ts';
import { type Agents, type Answer, exchange, type Post } from './exchange.ts';
import { checkedLookup, createPublicResolve, type Resolve, resolveLocally } from './resolve-host.ts';
import { failureOf, wordsOf } from './send-failure.ts';

/** Guarded requests, those of live programs, go to public addresses only. */
export type SendRequest = Post & { guarded: boolean };
export type SendResult = (Answer | { error: string }) & { durationMs: number };

export interface Sender {
  /** One POST. Never throws, follows no redirect, knows no proxy. */
  sendRequest: (request: SendRequest) => Promise<SendResult>;
  /** Ends every connection, idle or not. */
  closeAgents: () => void;
}

export interface SenderOptions {
  resolve?: Resolve;
  isAllowed?: IsAllowed;
  /** Trusted in place of the authorities that Node knows. */
  ca?: string;
}

type IsAllowed = (address: string) => boolean;

/** Idle connections end before most receivers, which keep them for 5 seconds or more, end them. */
const IDLE_MS = 4_000;
/** The next address of a host is tried after this; the default of 250 ms gives up on receivers overseas. */
const NEXT_ADDRESS_MS = 1_500;

export function createSender(options: SenderOptions = {}): Sender {
  const { isAllowed = isAllowedAddress, ca } = options;
  const publicNames = createPublicResolve();
  // Each has connections of its own: one that was opened without the check is never used with it.
  const guarded = createAgents(options.resolve ?? publicNames.resolve, isAllowed, ca);
  const open = createAgents(options.resolve ?? resolveLocally, () => true, ca);

  return {
    sendRequest: async (request) => {
      const startMs = performance.now();
      const passedMs = () => performance.now() - startMs;
      try {
        if (request.guarded) requireAllowed(request.url, isAllowed);
        const answer = await post(request, request.guarded ? guarded : open, passedMs);
        return { ...answer, durationMs: Math.round(passedMs()) };
      } catch (error) {
        return { error: wordsOf(error), durationMs: Math.round(passedMs()) };
      }
    },
    closeAgents: () => {
      publicNames.cancel();
      for (const agents of [guarded, open]) {
        agents.http.destroy();
        agents.https.destroy();
      }
    },
  };
}

function createAgents(resolve: Resolve, isAllowed: IsAllowed, ca: string | undefined): Agents {
  const settings = {
    keepAlive: true,
    timeout: IDLE_MS,
    lookup: checkedLookup(resolve, isAllowed),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  };
  return {
    http: new http.Agent(settings),
    // Said aloud, because an environment variable of Node can switch it off.
    https: new https.Agent({ ...settings, rejectUnauthorized: true, ...(ca !== undefined && { ca }) }),
  };
}

/** An address as such is never looked up, so it is checked here. */
function requireAllowed(url: string, isAllowed: IsAllowed): void {
  const host = hostOf(new URL(url));
  if (isIP(host) !== 0 && !isAllowed(host)) throw failureOf('address not allowed');
}

/** Should a request that goes out again have arrived the first time, the second has the same `webhook-id`. */
async function post(request: Post, agents: Agents, passedMs: () => number): Promise<Answer> {
  for (;;) {
    const answer = await exchange(request, agents, request.timeoutMs - passedMs());
    if (answer) return answer;
  }
}
