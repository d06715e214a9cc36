import { EmbossError } from '../kernel/error.ts';
import type { Actor } from '../programs/actor.ts';
import type { AuthorizationMode } from '../programs/program.ts';
import { type DecisionEndpoint, type DecisionKind, isUnusable } from './decision.ts';
import { type EndpointServices, isSameServer, type Settings } from './manage-endpoints.ts';
import { findDecisionEndpoint } from './queries.ts';
import { sendTest } from './test-endpoint.ts';

const BLINDLY = 'or send "untested": true to do it without a passed test';

/** Throws a 409 unless the endpoint gives a usable response to a test request now. */
async function requireResponse(
  services: EndpointServices,
  actor: Actor,
  endpoint: DecisionEndpoint,
  signal: AbortSignal,
): Promise<void> {
  const { outcome, statusCode, error } = await sendTest(services, actor, endpoint, endpoint.kind, signal);
  if (!isUnusable(outcome)) return;
  const status = statusCode === null ? '' : ` (response ${statusCode})`;
  throw new EmbossError(
    409,
    `The endpoint did not pass a test request: ${error}${status}; repair it and retry, ${BLINDLY}`,
  );
}

/** Before a mode in which the merchant decides. Without an endpoint, the change of the mode itself is refused. */
export async function requireTestedMode(
  services: EndpointServices,
  actor: Actor,
  mode: AuthorizationMode,
  signal: AbortSignal,
): Promise<void> {
  if (mode === 'STANDARD' || actor.program.authorizationMode !== 'STANDARD') return;
  const endpoint = await findDecisionEndpoint(services.db, actor.program.id, 'authorization');
  if (endpoint) await requireResponse(services, actor, endpoint, signal);
}

/** Before settings by which a server decides that did not decide before: another URL, or the end of a pause. */
export async function requireTestedSettings(
  services: EndpointServices,
  actor: Actor,
  kind: DecisionKind,
  settings: Settings,
  signal: AbortSignal,
): Promise<void> {
  const { id, authorizationMode } = actor.program;
  if (settings.paused || (kind === 'authorization' && authorizationMode === 'STANDARD')) return;
  const before = await findDecisionEndpoint(services.db, id, kind);
  if (before && !before.paused && before.url === settings.url) return;
  if (!before || !isSameServer(before.url, settings.url))
    throw new EmbossError(
      409,
      `Your server must have the new secret before it can pass a test: save the endpoint paused and resume it then, ${BLINDLY}`,
    );
  await requireResponse(services, actor, { ...before, ...settings }, signal);
}
