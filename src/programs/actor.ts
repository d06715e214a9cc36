import type { AuditActor, Identity } from '../audit/entry.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { sourceAddress } from '../http/client-address.ts';
import { notFound } from '../kernel/error.ts';
import { type Program, programNow, type Scope, sinceClockMove } from './program.ts';
import { readProgram } from './queries.ts';

/** Who acts in a program: an API key, an operator, the command line or a part of the system, with program time. */
export interface Actor extends AuditActor {
  /** For limits and the log: `operator:<id>` for an operator, whose `name` is personal data; otherwise the `name`. */
  id: string;
  scopes: readonly Scope[];
  program: Program;
  /**
   * The database's time, in milliseconds. Lists need ids with the time of one clock, and the clocks of two machines
   * differ.
   */
  realNow(): number;
}

export const createActor = (
  {
    name,
    address,
    requestId,
    approvedBy,
    id = name,
    scopes = [],
  }: Identity & Partial<Pick<Actor, 'id' | 'scopes'>>,
  program: Program,
  realNow: () => number,
): Actor => ({
  id,
  name,
  address,
  requestId,
  approvedBy,
  scopes,
  program,
  realNow,
  now: () => programNow(program, realNow()),
});

/** Returns the actor with the program and its time as read from the database now. This time does not advance. */
export async function readActor(db: Queryable, who: Identity, programId: string): Promise<Actor> {
  const { program, realNowMs } = await readProgram(db, programId);
  return createActor(who, program, () => realNowMs);
}

/**
 * Waits for the lock on a row, then reads the actor again, so that the times and ids of changes under one lock follow
 * the order of their commits. Throws a 404 if the row does not exist.
 */
export async function lockFor<Row>(
  tx: Tx,
  actor: Actor,
  lock: Promise<Row | undefined>,
): Promise<[row: Row, actor: Actor]> {
  const [row, now] = await Promise.all([lock, readActor(tx, actor, actor.program.id)]);
  if (!row) throw notFound();
  return [row, now];
}

const OPERATOR = 'operator:';

export const isOperator = ({ id }: Pick<Actor, 'id'>): boolean => id.startsWith(OPERATOR);

/** The id of the operator who acts. Only for routes of the console. */
export function operatorIdOf(actor: Pick<Actor, 'id'>): string {
  if (!isOperator(actor)) throw new Error('the actor is not an operator');
  return actor.id.slice(OPERATOR.length);
}

export const requestIdentity = (name: string, { id, ip }: { id: string; ip: string }): Identity => ({
  name,
  address: sourceAddress(ip),
  requestId: id,
});

/** The actor that authentication identified for a request. */
export const actorOf = (request: { getDecorator: <T>(name: string) => T }): Actor =>
  request.getDecorator<Actor>('actor');

/** The clock for lists. Right after a move of the clock, no record counts as settled. */
export const listClock = (actor: Actor) => ({
  nowMs: actor.now(),
  sinceMoveMs: sinceClockMove(actor.program, actor.realNow()),
});
