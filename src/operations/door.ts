import type { Database } from '../db/database.ts';
import { recordAudit } from '../events/journal.ts';
import type { App } from '../http/server.ts';
import { EmbossError, notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import {
  type AuthenticateSession,
  type OperatorSession,
  requireOwnPage,
} from '../operators/authenticate-session.ts';
import { isAtLeast, operatorActor } from '../operators/operator.ts';
import { sessionToken } from '../operators/routes.ts';
import { type Caller, callerNow, type ProgramMode, SCOPES } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';
import { actionFor, CLOSED, doesSomething, roleFor } from './access.ts';

export interface DoorServices {
  db: Database;
  authenticateSession: AuthenticateSession;
}

/**
 * Before anything else of the request is looked at: a session, a page of ours, a program that the operator may see, and
 * the role. To the routes behind it an operator is a caller like any other.
 */
export function requireOperator(
  app: App,
  { db, authenticateSession }: DoorServices,
  mode?: ProgramMode,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const session = await authenticateSession(sessionToken(request));
    const { method, params } = request;
    const operationId = operationOf(request);
    if (doesSomething(method, operationId)) requireOwnPage(session, request.headers);
    const caller = await callerFor(db, session, (params as { programId: string }).programId);
    if (mode !== undefined && caller.program.mode !== mode) throw notFound();
    requireRole(session, method, operationId);
    request.setDecorator('caller', caller);
    reply.header('cache-control', 'no-store');
  });
  // Before the answer leaves: what a person was told is done, is written down.
  app.addHook('preSerialization', async (request, reply, answer) => {
    const action = actionFor(operationOf(request));
    if (action !== undefined && reply.statusCode < 300) await recordAction(db, action, request);
    return answer;
  });
}

/** Foreign, unknown and malformed programs are the same 404. */
async function callerFor(db: Database, session: OperatorSession, programId: string): Promise<Caller> {
  const { operator, realNow } = session;
  const isTheirs = operator.programId === null || operator.programId === programId;
  const found = isId(programId) && isTheirs ? await readProgram(db, programId) : undefined;
  if (!found) throw notFound();
  return { actor: operatorActor(operator.id), scopes: [...SCOPES], program: found.program, realNow };
}

function requireRole({ operator }: OperatorSession, method: string, operationId: string | undefined): void {
  if (operationId !== undefined && CLOSED.has(operationId)) throw notFound();
  const needed = roleFor(method, operationId);
  if (!isAtLeast(operator.role, needed))
    throw new EmbossError(403, `This needs the role ${needed}; yours is ${operator.role}`);
}

interface Request {
  id: string;
  params: unknown;
  body: unknown;
  routeOptions: { schema?: unknown };
  getDecorator: <T>(name: string) => T;
}

const operationOf = ({ routeOptions }: Request): string | undefined =>
  (routeOptions.schema as { operationId?: string } | undefined)?.operationId;

function recordAction(db: Database, action: string, request: Request): Promise<void> {
  const caller = request.getDecorator<Caller>('caller');
  const { programId: _program, ...named } = request.params as Record<string, string>;
  const { card_id: cardId = null, transaction_id: transactionId } = (request.body ?? {}) as Record<
    string,
    string
  >;
  return db.transaction((tx) =>
    recordAudit(tx, {
      programId: caller.program.id,
      actor: caller.actor,
      action,
      cardId,
      before: null,
      after: { ...named, ...(transactionId !== undefined && { transactionId }) },
      requestId: request.id,
      nowMs: callerNow(caller),
    }),
  );
}

/** How the document says what `requireOperator` asks for. */
export function documentDoor(app: App): void {
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, security: [{ operatorSession: [] }] } as typeof route.schema & object;
  });
}

/** The same routes stand in the document once, where merchants find them. */
export function leaveOutOfDocument(app: App): void {
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true } as typeof route.schema & object;
  });
}
