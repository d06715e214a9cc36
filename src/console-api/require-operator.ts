import { clockFrom } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { refuseCardNumbers } from '../http/card-numbers.ts';
import type { App } from '../http/server.ts';
import { EmbossError, notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { type AuthenticateSession, requireOwnPage } from '../operators/authenticate-session.ts';
import { type Operator, requireReady, type SecondFactorRule } from '../operators/operator.ts';
import { identityOf } from '../operators/routes.ts';
import type { SessionCookie } from '../operators/session-cookie.ts';
import { accessOf, isAtLeast, type Role, requireAccess } from '../programs/access.ts';
import { type Actor, actorOf, createActor } from '../programs/actor.ts';
import { type ProgramMode, SCOPES } from '../programs/program.ts';
import { listPrograms, readProgram } from '../programs/queries.ts';
import { auditRequests } from './audit-requests.ts';

export interface ConsoleServices {
  /** Limits the requests without a session of one caller. */
  countRefused: <Found>(
    request: { ip: string; headers: object },
    authentication: Promise<Found>,
  ) => Promise<Found>;
  db: Database;
  sandboxPrograms: boolean;
  authenticateSession: AuthenticateSession;
  cookie: SessionCookie;
  secondFactorRule: SecondFactorRule;
}

/**
 * Authorizes an operator before the rest of the request is read: a session, a page of the console, a program that the
 * operator may see, and the role that the route requires. The routes get the same `Actor` as for an API key.
 */
export function requireOperator(
  app: App,
  { db, sandboxPrograms, authenticateSession, cookie, countRefused, secondFactorRule }: ConsoleServices,
  mode?: ProgramMode,
): void {
  requireAccess(app, 'role');
  app.addHook('onRequest', async (request, reply) => {
    const unattended = request.headers['x-unattended'] !== undefined;
    const session = await countRefused(request, authenticateSession(cookie.read(request), unattended));
    const { role: lowest, roleFor } = accessOf(request);
    const role = roleFor?.(request.params as Record<string, string>) ?? (lowest as Role);
    const { operator } = session;
    if (!isRead(request) || role !== 'viewer') requireOwnPage(session, request.headers);
    const actor = await actorFor(db, operator, request);
    request.setDecorator('actor', actor);
    request.setDecorator('operator', operator);
    if (mode !== undefined && actor.program.mode !== mode) throw notFound();
    if (actor.program.mode === 'sandbox' && !sandboxPrograms) throw notFound();
    requireReady(secondFactorRule, operator, await modeOf(db, operator, actor.program.mode, request));
    if (!isAtLeast(operator.role, role))
      throw new EmbossError(403, `Requires the role ${role}; your role is ${operator.role}`);
    reply.header('cache-control', 'no-store');
  });
  refuseCardNumbers(app, (request) => actorOf(request).program.bin);
  auditRequests(app, db);
}

const isRead = ({ method }: { method: string }): boolean => method === 'GET' || method === 'HEAD';

/** The mode of what the request acts on. The whole installation is live if any of its programs is. */
async function modeOf(
  db: Database,
  operator: Operator,
  mode: ProgramMode,
  request: Parameters<typeof accessOf>[0] & { query: unknown },
): Promise<ProgramMode> {
  const { installation } = accessOf(request);
  if (installation === undefined || operator.programId !== null || mode === 'live') return mode;
  // The query is not validated yet: only a plain `program` counts as the program's chain.
  const { chain = 'program' } = request.query as { chain?: unknown };
  if (installation === 'by chain' && chain === 'program') return mode;
  return (await listPrograms(db)).some((program) => program.mode === 'live') ? 'live' : mode;
}

/** A malformed id, an unknown program and one that the operator may not see give the same 404. */
async function actorFor(
  db: Database,
  operator: Operator,
  request: { id: string; ip: string; params: unknown },
): Promise<Actor> {
  const { programId } = request.params as { programId: string };
  const isTheirs = operator.programId === null || operator.programId === programId;
  if (!isId(programId) || !isTheirs) throw notFound();
  const { program, realNowMs } = await readProgram(db, programId);
  const who = { ...identityOf(operator, request), id: `operator:${operator.id}`, scopes: SCOPES.merchant };
  return createActor(who, program, clockFrom(realNowMs));
}
