import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { AddressRule, AddressRules } from './address-rules.ts';
import { hostOf } from './endpoint-url.ts';
import { type Agents, type Answer, exchange, type Post, type Received } from './exchange.ts';
import { checkedLookup, createPublicResolve, type Resolve, resolveLocally } from './resolve-host.ts';
import { describeFailure, failureOf, type SendFailure } from './send-failure.ts';

/**
 * The address rule of a request: that of live or of sandbox programs. `anywhere` is for an address that an operator
 * gives on the command line.
 */
export type Reach = keyof AddressRules | 'anywhere';
export type SendRequest = Post & { reach: Reach };
export type SendResult = (Answer | SendFailure) & { durationMs: number };

export interface Sender {
  /** Sends one POST. Never throws, follows no redirects and uses no proxy. */
  sendRequest: (request: SendRequest) => Promise<SendResult>;
  addresses: AddressRules;
  /** Closes every connection, idle or not. */
  closeAgents: () => void;
}

export interface SenderOptions {
  resolve?: Resolve;
  /** Trusted instead of Node's built-in authorities. */
  ca?: string;
}

/** Shorter than the idle timeout of most receivers (5 seconds or more), so that this side closes first. */
const IDLE_MS = 4_000;
/**
 * The time before the next address of a host is tried. Node's default of 250 ms is too short for receivers overseas.
 */
const NEXT_ADDRESS_MS = 1_500;

const ANYWHERE: AddressRule = { allows: () => true, shows: () => true, refusal: '' };

export function createSender(addresses: AddressRules, { resolve, ca }: SenderOptions = {}): Sender {
  const publicNames = createPublicResolve();
  const rules: Record<Reach, AddressRule> = { ...addresses, anywhere: ANYWHERE };
  // Separate agents, so that a request never reuses a connection that was opened under another rule.
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
        return { ...describeFailure(error), durationMs: Math.round(passedMs()) };
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
    // Set explicitly, because an environment variable of Node can turn it off.
    https: new https.Agent({ ...settings, rejectUnauthorized: true, ...(ca !== undefined && { ca }) }),
  };
}

/** An IP address needs no lookup, so it is checked here. */
function requireAllowed(url: string, { allows, refusal }: AddressRule): void {
  const host = hostOf(new URL(url));
  if (isIP(host) !== 0 && !allows(host)) throw failureOf(refusal);
}

/** If the first request did arrive, the repeated one has the same `webhook-id`. */
async function post(request: Post, agents: Agents, passedMs: () => number): Promise<Received> {
  for (;;) {
    const answer = await exchange(request, agents, request.timeoutMs - passedMs());
    if (answer) return answer;
  }
}
