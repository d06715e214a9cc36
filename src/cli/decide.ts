import { InvalidArgumentError } from 'commander';
import { readConfig } from '../config.ts';
import { DECISION_KINDS, type DecisionEndpoint, type DecisionKind } from '../decisions/decision.ts';
import {
  type EndpointServices,
  presentEndpoint,
  putEndpoint,
  removeEndpoint,
  type Saved,
} from '../decisions/manage-endpoints.ts';
import { findDecisionEndpoint } from '../decisions/queries.ts';
import { EmbossError } from '../kernel/error.ts';
import type { Secret } from '../kernel/secret.ts';
import { createAddressRules } from '../outbound/address-rules.ts';
import { createSender, type Sender } from '../outbound/send-request.ts';
import type { Program } from '../programs/program.ts';
import type { Runtime } from '../runtime.ts';
import { openVault } from '../vault/vault.ts';
import { type Rule, startDecisionServer } from './decision-server.ts';
import { selectActor } from './select.ts';
import type { Terminal } from './terminal.ts';
import { httpUrl } from './values.ts';

const PATH = '/emboss-listen';

/** `listen` decides while it runs. */
export interface Deciding {
  program: Program;
  rule: Rule;
  /** By kind. Without the kinds of which the program had an endpoint: their secrets stay. */
  secrets: Map<DecisionKind, Secret>;
  /** Restores the endpoints, and says what it did. */
  end(runtime: Runtime): Promise<string>;
  /** Stops answering. */
  close(): void;
}

export function decideRule(text: string): Rule {
  if (text === 'approve' || text === 'decline' || text === 'timeout') return text;
  if (/^https?:/.test(text)) return { url: httpUrl(text) };
  throw new InvalidArgumentError('must be approve, decline, timeout or a URL');
}

/** Starts to answer on this machine, and sets the program's endpoints to it. */
export async function beginDeciding(
  terminal: Terminal,
  runtime: Runtime,
  wanted: string | undefined,
  rule: Rule,
  onAnswered: Parameters<typeof startDecisionServer>[2],
): Promise<Deciding> {
  const { program } = await selectActor(runtime.db, wanted);
  if (program.mode === 'live')
    throw new EmbossError(409, `--decide is for sandbox programs; ${program.name} is a live program`);
  const sender = createSender(createAddressRules(readConfig(terminal.env).webhookAddresses));
  const server = await startDecisionServer(rule, sender, onAnswered);
  const close = () => {
    server.close();
    sender.closeAgents();
  };
  try {
    const taken: Taken[] = [];
    const secrets = new Map<DecisionKind, Secret>();
    for (const kind of DECISION_KINDS) {
      const before = await findDecisionEndpoint(runtime.db, program.id, kind);
      const replaced = replacedIn(before);
      const url = urlOf(server.port, replaced);
      const { secret } = await change(runtime, sender, program, kind, before, { url, paused: false });
      taken.push({ kind, url, replaced });
      if (secret) secrets.set(kind, secret);
    }
    return { program, rule, secrets, end: (then) => restoreAll(then, sender, program, taken), close };
  } catch (error) {
    close();
    throw error;
  }
}

type Replaced = Pick<DecisionEndpoint, 'url' | 'paused'>;

/** An endpoint that leads to this machine. */
interface Taken {
  kind: DecisionKind;
  url: string;
  replaced: Replaced | undefined;
}

const servicesOf = async ({ db, masters }: Runtime, sender: Sender): Promise<EndpointServices> => ({
  db,
  keeper: await openVault(db, masters),
  sender,
});

/** Keeps the other settings, and the secret: the merchant's own server must still know it when `listen` ends. */
async function change(
  runtime: Runtime,
  sender: Sender,
  { id, currency }: Program,
  kind: DecisionKind,
  current: DecisionEndpoint | undefined,
  changes: Replaced,
): Promise<Saved> {
  const actor = await selectActor(runtime.db, id);
  if (!current) return putEndpoint(await servicesOf(runtime, sender), actor, kind, changes);
  const { timeoutMs, onFailure } = current;
  const { standIn } = presentEndpoint(current, currency);
  const settings = { timeoutMs, ...(kind === 'authorization' && { onFailure, standIn }), ...changes };
  return putEndpoint(await servicesOf(runtime, sender), actor, kind, settings, { isLent: true });
}

/** One line for the kinds of the same result. */
async function restoreAll(
  runtime: Runtime,
  sender: Sender,
  program: Program,
  taken: readonly Taken[],
): Promise<string> {
  const results = new Map<string, DecisionKind[]>();
  for (const each of taken) {
    const result = await restore(runtime, sender, program, each);
    results.set(result, [...(results.get(result) ?? []), each.kind]);
  }
  return [...results]
    .map(([result, kinds]) => `Decision endpoint ${kinds.join(', ')}: ${result}.`)
    .join('\n');
}

/** An endpoint that a mode needs is paused rather than left at an address where another program may answer. */
async function restore(
  runtime: Runtime,
  sender: Sender,
  program: Program,
  { kind, url, replaced }: Taken,
): Promise<string> {
  const current = await findDecisionEndpoint(runtime.db, program.id, kind);
  if (current?.url !== url) return 'was changed meanwhile; it stays as it is';
  if (replaced) {
    await change(runtime, sender, program, kind, current, replaced);
    return 'as it was before';
  }
  const actor = await selectActor(runtime.db, program.id);
  const { authorizationMode } = actor.program;
  if (kind === 'authorization' && authorizationMode !== 'STANDARD') {
    await change(runtime, sender, program, kind, current, { url, paused: true });
    return `paused, because the authorization mode ${authorizationMode} needs it; its onFailure is ${current.onFailure}`;
  }
  await removeEndpoint(await servicesOf(runtime, sender), actor, kind);
  return 'removed';
}

/** The URL says what it replaced, so that the next command can restore what a killed one left. */
function urlOf(port: number, replaced: Replaced | undefined): string {
  const url = new URL(`http://127.0.0.1:${port}${PATH}`);
  if (replaced) url.searchParams.set('instead-of', replaced.url);
  if (replaced?.paused) url.searchParams.set('paused', 'true');
  return url.href;
}

function replacedIn(endpoint: DecisionEndpoint | undefined): Replaced | undefined {
  if (!endpoint) return undefined;
  const { hostname, pathname, searchParams } = new URL(endpoint.url);
  if (hostname !== '127.0.0.1' || pathname !== PATH) return { url: endpoint.url, paused: endpoint.paused };
  const url = searchParams.get('instead-of');
  return url === null ? undefined : { url, paused: searchParams.get('paused') === 'true' };
}
