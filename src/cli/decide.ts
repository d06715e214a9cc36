import { InvalidArgumentError } from 'commander';
import { readConfig } from '../config.ts';
import type { DecisionEndpoint } from '../decisions/decision.ts';
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

const KIND = 'authorization';
const PATH = '/emboss-listen';

/** `listen` decides while it runs. */
export interface Deciding {
  program: Program;
  rule: Rule;
  /** Undefined if the program had an endpoint: its secret stays. */
  secret: Secret | undefined;
  /** Restores the endpoint, and says what it did. */
  end(runtime: Runtime): Promise<string>;
  /** Stops answering. */
  close(): void;
}

export function decideRule(text: string): Rule {
  if (text === 'approve' || text === 'decline' || text === 'timeout') return text;
  if (/^https?:/.test(text)) return { url: httpUrl(text) };
  throw new InvalidArgumentError('must be approve, decline, timeout or a URL');
}

/** Starts to answer on this machine, and sets the program's endpoint to it. */
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
    const before = await findDecisionEndpoint(runtime.db, program.id, KIND);
    const replaced = replacedIn(before);
    const url = urlOf(server.port, replaced);
    const { secret } = await change(runtime, sender, program, before, { url, paused: false });
    return { program, rule, secret, end: (then) => restore(then, sender, program, url, replaced), close };
  } catch (error) {
    close();
    throw error;
  }
}

type Replaced = Pick<DecisionEndpoint, 'url' | 'paused'>;

const servicesOf = async ({ db, masters }: Runtime, sender: Sender): Promise<EndpointServices> => ({
  db,
  keeper: await openVault(db, masters),
  sender,
});

/** Keeps the other settings. */
async function change(
  runtime: Runtime,
  sender: Sender,
  { id, currency }: Program,
  current: DecisionEndpoint | undefined,
  changes: Replaced,
): Promise<Saved> {
  const actor = await selectActor(runtime.db, id);
  if (!current) return putEndpoint(await servicesOf(runtime, sender), actor, KIND, changes);
  const { timeoutMs, onFailure, standIn } = presentEndpoint(current, currency);
  const settings = { timeoutMs, onFailure, standIn, ...changes };
  return putEndpoint(await servicesOf(runtime, sender), actor, KIND, settings);
}

/** An endpoint that a mode needs is paused rather than left at an address where another program may answer. */
async function restore(
  runtime: Runtime,
  sender: Sender,
  program: Program,
  url: string,
  replaced: Replaced | undefined,
): Promise<string> {
  const current = await findDecisionEndpoint(runtime.db, program.id, KIND);
  if (current?.url !== url) return 'The decision endpoint was changed meanwhile; it stays as it is.';
  if (replaced) {
    await change(runtime, sender, program, current, replaced);
    return 'The decision endpoint is as it was before.';
  }
  const actor = await selectActor(runtime.db, program.id);
  const { authorizationMode } = actor.program;
  if (authorizationMode !== 'STANDARD') {
    await change(runtime, sender, program, current, { url, paused: true });
    const { onFailure } = current;
    return `The decision endpoint is paused, because the authorization mode ${authorizationMode} needs one; its onFailure is ${onFailure}.`;
  }
  await removeEndpoint(await servicesOf(runtime, sender), actor, KIND);
  return 'The decision endpoint is removed.';
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
