import { EmbossError } from '../kernel/error.ts';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
const UNIQUE_VIOLATION = '23505';
const STARTING_UP = '57P03';
const WRONG_PASSWORD = '28P01';
const DUPLICATE_PREPARED_STATEMENT = '42P05';
const UNKNOWN_PREPARED_STATEMENT = '26000';

const NODE_AWAY = '08006';
const INTERNAL_ERROR = 'XX000';
/** A node of a cluster was lost, or has no disk left: Citus reports it without a code of its own. */
const LOST_NODE =
  /connection marked as essential|connection to the remote node|connection not open|server closed the connection|could not commit transaction|postmaster was shut down|no space left/i;

/** Codes of a server that stops, is starting, or has no disk, memory or connections left. */
const AWAY_STATES = new Set(['57P01', '57P02', STARTING_UP, '53100', '53200', '53300', '58000', '58030']);
const AWAY_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
const AWAY_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|not queryable|connection timeout/i;

/** The server is starting or recovering after a crash. */
export const isStartingUp = (error: unknown): boolean => codeOf(error) === STARTING_UP;

export const isRefusedLogin = (error: unknown): boolean => codeOf(error) === WRONG_PASSWORD;

/** The session is not the one that prepared our statements: a pooler shares sessions. */
export const isStrangeSession = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === DUPLICATE_PREPARED_STATEMENT || code === UNKNOWN_PREPARED_STATEMENT;
};

/** PostgreSQL rolled the whole transaction back: running it again is safe, and may succeed. */
export const isWorthRetrying = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
};

/** A cluster reports that it lost one of its nodes. Our own connection is not affected. */
export function isNodeLoss(error: unknown): boolean {
  if (error instanceof EmbossError) return isNodeLoss(error.cause);
  if ((error as { severity?: unknown } | null)?.severity !== 'ERROR') return false;
  const code = codeOf(error);
  return code === NODE_AWAY || (code === INTERNAL_ERROR && LOST_NODE.test((error as Error).message));
}

/**
 * The warning with which a cluster commits although a node was lost. What the node has prepared appears later; if it was only
 * read, nothing is missing, but the warning is the same.
 */
export const isUnfinishedCommit = ({ message = '' }: { message?: string | undefined }): boolean =>
  /failed to commit transaction on/.test(message);

export const nodeLost = (): Error =>
  Object.assign(new Error('a node was lost before its second phase'), { code: NODE_AWAY });

/** Thrown by code that finds a concurrent change: the transaction rolls back and runs again. */
export const changedMeanwhile = (what: string): Error =>
  Object.assign(new Error(`${what} changed meanwhile`), { code: SERIALIZATION_FAILURE });

/** Another transaction inserted the same key first. */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === UNIQUE_VIOLATION;

/** A lock or a statement exceeded its timeout; PostgreSQL rolled the transaction back. */
export const isBusy = (error: unknown): boolean => {
  if (error instanceof EmbossError) return isBusy(error.cause);
  const code = codeOf(error);
  return code === LOCK_NOT_AVAILABLE || code === QUERY_CANCELED;
};

/** No answer arrived, which does not happen on a healthy network. */
export const isReadTimeout = (error: unknown): boolean => {
  if (error instanceof EmbossError) return isReadTimeout(error.cause);
  return error instanceof Error && /query read timeout/i.test(error.message);
};

/** True if the connection was lost or never established, so that the server's state is unknown. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof EmbossError) return isConnectionLoss(error.cause);
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  // FATAL ends or refuses a session: the server stops, is full, or has no such database.
  if ((error as { severity?: unknown } | null)?.severity === 'FATAL') return true;
  const code = codeOf(error);
  if (code === INTERNAL_ERROR) return isNodeLoss(error);
  if (code !== undefined)
    return code.startsWith('08') || AWAY_STATES.has(code) || AWAY_SYSTEM_CODES.has(code);
  return error instanceof Error && AWAY_MESSAGES.test(error.message);
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
