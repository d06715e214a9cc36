import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { hostOf } from '../endpoint-url.ts';
import type { AddressRule, AddressRules } from './address-rules.ts';
import { type Agents, type Answer, exchange, type Post, type Received } from './exchange.ts';
import { checkedLookup, createPublicResolve, type Resolve, resolveLocally } from './resolve-host.ts';
import { failureOf, wordsOf } from './send-failure.ts';

/**
 * Whose rule a request follows: that of live or of sandbox programs. `anywhere` is for an operator's own address, given
 * on the command line.
 */
export type Reach = keyof AddressRules | 'anywhere';
export type SendRequest = Post & { reach: Reach };
export type SendResult = (Answer | { error: string }) & { durationMs: number };

export interface Sender {
  /** One POST. Never throws, follows no redirect, knows no proxy. */
  sendRequest: (request: SendRequest) => Promise<SendResult>;
  addresses: AddressRules;
  /** Ends every connection, idle or not. */
  closeAgents: () => void;
}

export interface SenderOptions {
  resolve?: Resolve;
  /** Trusted in place of the authorities that Node knows. */
  ca?: string;
}

/** Idle connections end before most receivers, which keep them for 5 seconds or more, end them. */
const IDLE_MS = 4_000;
/** The next address of a host is tried after this; the default of 250 ms gives up on receivers overseas. */
const NEXT_ADDRESS_MS = 1_500;

const ANYWHERE: AddressRule = { allows: () => true, shows: () => true, refusal: '' };

export function createSender(addresses: AddressRules, { resolve, ca }: SenderOptions = {}): Sender {
  const publicNames = createPublicResolve();
  const rules: Record<Reach, AddressRule> = { ...addresses, anywhere: ANYWHERE };
  // Each has connections of its own: one that was opened under another rule is never used.
  const agents: Record<Reach, Agents> = {
    live: createAgents(resolve ?? publicNames.resolve, rules.live, ca),
    sandbox: createAgents(resolve ?? resolveLocally, rules.sandbox, ca),
    anywhere: createAgents(resolve ?? resolveLocally, rules.anywhere, ca),
  };

  return {
    addresses,
    sendRequest: async (request) => {
      const startMs = performance.now();
      const passedMs = () => performance.now() - startMs;
      try {
        const rule = rules[request.reach];
        requireAllowed(request.url, rule);
        const { address, answerStart, ...answer } = await post(request, agents[request.reach], passedMs);
        const shown = rule.shows(address) ? answerStart : '';
        return { ...answer, answerStart: shown, durationMs: Math.round(passedMs()) };
      } catch (error) {
        return { error: wordsOf(error), durationMs: Math.round(passedMs()) };
      }
    },
    closeAgents: () => {
      publicNames.cancel();
      for (const { http: plain, https: secure } of Object.values(agents)) {
        plain.destroy();
        secure.destroy();
      }
    },
  };
}

function createAgents(resolve: Resolve, rule: AddressRule, ca: string | undefined): Agents {
  const settings = {
    keepAlive: true,
    timeout: IDLE_MS,
    lookup: checkedLookup(resolve, rule),
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
function requireAllowed(url: string, { allows, refusal }: AddressRule): void {
  const host = hostOf(new URL(url));
  if (isIP(host) !== 0 && !allows(host)) throw failureOf(refusal);
}

/** Should a request that goes out again have arrived the first time, the second has the same `webhook-id`. */
async function post(request: Post, agents: Agents, passedMs: () => number): Promise<Received> {
  for (;;) {
    const answer = await exchange(request, agents, request.timeoutMs - passedMs());
    if (answer) return answer;
  }
}
