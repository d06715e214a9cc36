import type { AuditRecord } from '../audit/entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findTransactionCards } from '../authorizations/transactions/queries.ts';
import type { Database } from '../db/database.ts';
import { declaredOnly } from '../http/body.ts';
import { refuseCardNumbers } from '../http/card-numbers.ts';
import { sourceAddress } from '../http/client-address.ts';
import type { App } from '../http/server.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { EmbossError, notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { isCleanText } from '../kernel/text.ts';
import { countInWindows } from '../kernel/window-counts.ts';
import {
  type AuthenticateSession,
  type OperatorSession,
  requireOwnPage,
} from '../operators/authenticate-session.ts';
import { isAtLeast, operatorActor, requireReady, type SecondFactorRule } from '../operators/operator.ts';
import type { SessionCookie } from '../operators/session-cookie.ts';
import { type Caller, callerNow, type ProgramMode, SCOPES } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';
import { actionFor, CLOSED, doesSomething, roleFor } from './access.ts';
import { viewOf } from './views.ts';

export interface DoorServices {
  /** Bounds how often an address comes without a session. */
  countRefused: <Found>(ip: string, authentication: Promise<Found>) => Promise<Found>;
  db: Database;
  sandboxPrograms: boolean;
  authenticateSession: AuthenticateSession;
  cookie: SessionCookie;
  secondFactorRule: SecondFactorRule;
}

/**
 * Before anything else of the request is looked at: a session, a page of ours, a program that the operator may see, and
 * the role. To the routes behind it an operator is a caller like any other.
 */
export function requireOperator(
  app: App,
  { db, sandboxPrograms, authenticateSession, cookie, countRefused, secondFactorRule }: DoorServices,
  mode?: ProgramMode,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const unattended = request.headers['x-unattended'] !== undefined;
    const session = await countRefused(request.ip, authenticateSession(cookie.read(request), unattended));
    const { method, params } = request;
    const operationId = operationOf(request);
    if (doesSomething(method, operationId)) requireOwnPage(session, request.headers);
    const caller = await callerFor(db, session, (params as { programId: string }).programId, request.ip);
    request.setDecorator('caller', caller);
    request.setDecorator('operator', session.operator);
    if (mode !== undefined && caller.program.mode !== mode) throw notFound();
    if (caller.program.mode === 'sandbox' && !sandboxPrograms) throw notFound();
    requireReady(secondFactorRule, session.operator, caller.program.mode);
    requireRole(session, method, operationId);
    reply.header('cache-control', 'no-store');
  });
  refuseCardNumbers(app, (request) => request.getDecorator<Caller>('caller').program.bin);
  // After the request was found valid and before anything is done: what cannot be written down does not happen.
  app.addHook('preHandler', async (request) => {
    const action = actionFor(operationOf(request));
    if (action !== undefined) await recordAction(db, action, request);
  });
  recordViews(app, db);
}

/** A page that stays open asks again and again: what an operator sees is written once in so long. */
const SAME_VIEW_MS = 300_000;
const MOST_VIEWS = 10_000;

/**
 * Writes what an operator is shown before it leaves. Whether somebody is at the page is the browser's word (x-unattended)
 * and changes nothing here.
 */
function recordViews(app: App, db: Database): void {
  const lately = countInWindows(SAME_VIEW_MS, MOST_VIEWS);
  app.addHook('preSerialization', async (request, reply, payload) => {
    const view = reply.statusCode === 200 && viewOf(operationOf(request), payload, request.query);
    if (!view) return payload;
    const caller = request.getDecorator<Caller>('caller');
    const key = JSON.stringify([caller.actor, caller.program.id, view]);
    if (lately.read(key, performance.now()) > 0) return payload;
    await record(db, request, view);
    lately.add(key, performance.now());
    return payload;
  });
}

/** Foreign, unknown and malformed programs are the same 404. */
async function callerFor(
  db: Database,
  session: OperatorSession,
  programId: string,
  ip: string,
): Promise<Caller> {
  const { operator, realNow } = session;
  const isTheirs = operator.programId === null || operator.programId === programId;
  const found = isId(programId) && isTheirs ? await readProgram(db, programId) : undefined;
  if (!found) throw notFound();
  return {
    actor: operatorActor(operator),
    actorId: `operator:${operator.id}`,
    address: sourceAddress(ip),
    scopes: [...SCOPES],
    program: found.program,
    realNow,
  };
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
  query: unknown;
  routeOptions: { schema?: unknown };
  getDecorator: <T>(name: string) => T;
}

const operationOf = ({ routeOptions }: Request): string | undefined =>
  (routeOptions.schema as { operationId?: string } | undefined)?.operationId;

/** What was asked for, by the fields that the route itself reads; never a whole body, which may hold a CVV. */
async function recordAction(db: Database, action: string, request: Request): Promise<void> {
  const caller = request.getDecorator<Caller>('caller');
  const { programId: _program, ...named } = request.params as Record<string, string>;
  const { body: schema } = request.routeOptions.schema as { body?: unknown };
  const body = (schema ? declaredOnly(schema, request.body) : {}) as Record<string, unknown>;
  const { date } = request.query as Record<string, unknown>;
  const told = {
    ...pick(body, ['transaction_id', 'amount', 'currency', 'since', 'endpointId']),
    ...(date ? { date } : {}),
  };
  const cardId = await cardOf(db, caller, body);
  await record(db, request, { action, cardId, after: { ...readable(named), ...told } });
}

function record(
  db: Database,
  request: Request,
  entry: Pick<AuditRecord, 'action' | 'cardId' | 'after'>,
): Promise<void> {
  const caller = request.getDecorator<Caller>('caller');
  return db.transaction((tx) =>
    recordAudit(tx, {
      ...entry,
      programId: caller.program.id,
      actor: caller.actor,
      address: caller.address,
      before: null,
      requestId: request.id,
      nowMs: callerNow(caller),
    }),
  );
}

const LONGEST_NAME = 64;

/** An id out of a path may be any text, also one that no table takes: it is told as far as it can be an id. */
const readable = (named: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(named).map(([name, text]) => [
      name,
      isCleanText(text) && text.length <= LONGEST_NAME ? maskCardNumbers(text) : '[no id]',
    ]),
  );

const pick = (fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));

/** The card in whose history it belongs: the one that is named, or the one of the transaction. */
async function cardOf(
  db: Database,
  { program }: Caller,
  { card_id: cardId, transaction_id: transactionId }: Record<string, unknown>,
): Promise<string | null> {
  if (typeof cardId === 'string') return isId(cardId) ? cardId : null;
  if (typeof transactionId !== 'string' || !isId(transactionId)) return null;
  const [place] = await findTransactionCards(db, program.id, [transactionId]);
  return place?.cardId ?? null;
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
