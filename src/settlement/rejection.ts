import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { EmbossError, fieldOf } from '../kernel/error.ts';

/** Why a file is rejected as a whole. */
export interface Rejection {
  line: number;
  /** Null: the rule is about the whole line. */
  field: string | null;
  rule: string;
}

export function rejection(line: number, field: string | null, rule: string): EmbossError {
  const cause: Rejection = { line, field, rule: maskCardNumbers(rule) };
  return new EmbossError(400, `line ${line}: ${field ? `${field}: ` : ''}${cause.rule}`, { cause });
}

/** Undefined for every other error. */
export function rejectionOf(error: unknown): Rejection | undefined {
  const cause = error instanceof EmbossError ? (error.cause as Rejection | undefined) : undefined;
  return typeof cause?.line === 'number' && typeof cause.rule === 'string' ? cause : undefined;
}

/** A rule about a field that the network API has too, at a line of the file. */
export function rejectionAt(line: number, error: unknown): unknown {
  if (!(error instanceof EmbossError) || error.httpStatus !== 400 || rejectionOf(error)) return error;
  const field = fieldOf(error);
  const rule = field === null ? error.message : error.message.slice(field.length + 2);
  return rejection(line, field === 'body' ? null : field, rule);
}
