import http from 'node:http';
import https from 'node:https';
import { isIP, type NetConnectOpts, type Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { remembered } from '../kernel/remembered.ts';
import type { AddressRule, AddressRules } from './address-rules.ts';
import { hostOf } from './endpoint-url.ts';
import {
  type Agents,
  type Answer,
  exchange,
  type Post,
  type Received,
  type Target,
  type Targeted,
} from './exchange.ts';
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
const READ_AT_ONCE_BYTES = 1_024;

const ANYWHERE: AddressRule = { allows: () => true, shows: () => true, refusal: '' };

export function createSender(addresses: AddressRules, { resolve, ca }: SenderOptions = {}): Sender {
  const publicNames = createPublicResolve();
  const rules: Record<Reach, AddressRule> = { ...addresses, anywhere: ANYWHERE };
  // Separate agents, so that a request never reuses a connection that was opened under another rule.
  const agents: Record<Reach, ReusedAndFresh> = {
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
        const target = targetOf(request.url);
        requireAllowed(target, rule);
        const { address, answerStart, ...answer } = await post(
          { ...request, target },
          agents[request.reach],
          passedMs,
        );
        const shown = rule.shows(address) ? answerStart : '';
        return { ...answer, answerStart: shown, durationMs: Math.round(passedMs()) };
      } catch (error) {
        return { ...describeFailure(error), durationMs: Math.round(passedMs()) };
      }
    },
    closeAgents: () => {
      publicNames.cancel();
      for (const { reused, fresh } of Object.values(agents))
        for (const agent of [reused.http, reused.https, fresh.http, fresh.https]) agent.destroy();
    },
  };
}

/** For connections that are kept for the next request, and for those of one request alone. */
interface ReusedAndFresh {
  reused: Agents;
  fresh: Agents;
}

const createAgents = (resolve: Resolve, rule: AddressRule, ca: string | undefined): ReusedAndFresh => ({
  reused: createKind(true, resolve, rule, ca),
  fresh: createKind(false, resolve, rule, ca),
});

function createKind(keepAlive: boolean, resolve: Resolve, rule: AddressRule, ca: string | undefined): Agents {
  const settings = {
    keepAlive,
    timeout: IDLE_MS,
    lookup: checkedLookup(resolve, rule),
    autoSelectFamily: true,
  };
  return {
    http: readingLittle(new http.Agent(settings)),
    // Set explicitly, because an environment variable of Node can turn it off.
    https: readingLittle(
      new https.Agent({ ...settings, rejectUnauthorized: true, ...(ca !== undefined && { ca }) }),
    ),
  };
}

type Connecting = { createConnection(options: NetConnectOpts, connected?: () => void): Socket };

/**
 * Node parses all that it has read before a request that was cut ends. A receiver that streams could fill its 64 kB with
 * thousands of interim responses or chunks each time; so connections read less at once.
 */
function readingLittle<Agent extends http.Agent>(agent: Agent): Agent {
  const { createConnection } = agent as Agent & Connecting;
  const connect: Connecting['createConnection'] = (options, connected) => {
    const onread = {
      buffer: () => Buffer.allocUnsafe(READ_AT_ONCE_BYTES),
      callback: (bytes: number, buffer: Uint8Array): boolean => {
        socket.emit('data', buffer.subarray(0, bytes));
        return true;
      },
    };
    const socket: Socket = createConnection.call(agent, { ...options, onread }, connected);
    return socket;
  };
  return Object.assign(agent, { createConnection: connect });
}

const targetOf = remembered((text): Target => {
  const url = new URL(text);
  const host = hostOf(url);
  return { options: urlToHttpOptions(url), address: isIP(host) === 0 ? undefined : host };
});

/** An IP address needs no lookup, so it is checked here. */
function requireAllowed({ address }: Target, { allows, refusal }: AddressRule): void {
  if (address !== undefined && !allows(address)) throw failureOf(refusal);
}

/**
 * Sends once more, on a connection of its own, if a reused connection broke. If the first request did arrive, the second
 * has the same `webhook-id`.
 */
async function post(request: Targeted, agents: ReusedAndFresh, passedMs: () => number): Promise<Received> {
  const leftMs = () => request.timeoutMs - passedMs();
  const first = request.isFresh ? undefined : await exchange(request, agents.reused, leftMs());
  const isOver = first || (request.isOnce && !request.isFresh);
  const answer = isOver ? first : await exchange(request, agents.fresh, leftMs());
  if (!answer) throw failureOf('connection lost');
  return answer;
}
