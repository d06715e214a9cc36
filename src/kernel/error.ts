/**
 * The one error type. `message` is the public sentence: it reaches the caller word for word, so it names
 * fields and rules and never a card number, a CVV or a key. `cause` stays in the log.
 */
export class EmbossError extends Error {
  /** HTTP status of the answer. */
  readonly httpStatus: number;
  /** `code` of the error body; the HTTP status unless the contract's error table gives another. */
  readonly code: number;
  /** Sent as `retry-after`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    httpStatus: number,
    message: string,
    options: { code?: number; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EmbossError';
    this.httpStatus = httpStatus;
    this.code = options.code ?? httpStatus;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A 400 that names the field by its path and the rule it broke. */
export const invalid = (field: string, rule: string): EmbossError =>
  new EmbossError(400, `${field}: ${rule}`);

/** The path of the field that an error names, if it names one. */
export const fieldOf = ({ message }: EmbossError): string | null =>
  /^([\w.[\]-]+): /.exec(message)?.[1] ?? null;

/** The same answer for an unknown id, a malformed id and another program's id, so that a caller cannot distinguish them. */
export const notFound = (): EmbossError => new EmbossError(404, 'Record not found');

/** The database is unavailable or its answer was lost: the outcome is unknown, and the caller retries. */
export const unavailable = (message: string, cause: unknown): EmbossError =>
  new EmbossError(503, message, { cause });
