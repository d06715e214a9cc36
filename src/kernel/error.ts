/**
 * The one error type. `message` is the public sentence: it reaches the caller word for word, so it names
 * fields and rules and never a card number, a CVV or a key. `cause` stays in the log.
 */
export class EmbossError extends Error {
  /** HTTP status of the answer. */
  readonly httpStatus: number;
  /** `code` of the error body; the HTTP status unless the contract's error table gives another. */
  readonly code: number;
  /** When it makes sense to ask again; told in a header. */
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

/** The one answer for an unknown id, a malformed id and another program's id: they must not be told apart. */
export const notFound = (): EmbossError => new EmbossError(404, 'Record not found');

/** The database is away, or its answer got lost: the caller cannot know the outcome and asks again. */
export const unavailable = (message: string, cause: unknown): EmbossError =>
  new EmbossError(503, message, { cause });
