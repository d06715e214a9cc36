interface Details {
  /** The HTTP status; null without an answer. */
  status: number | null;
  /** The code of the error table: the status, or for example 43, a stolen card. Null without an answer. */
  code: number | null;
  requestId?: string | null;
  retryAfterMs?: number | undefined;
  /** Whether the server may have executed the request. */
  outcomeUnknown?: boolean;
  cause?: unknown;
}

/** Codes for the state of a card. */
const CARD_STATES: Record<number, 'lost' | 'stolen' | 'expired' | 'fraud' | 'blocked'> = {
  41: 'lost',
  43: 'stolen',
  54: 'expired',
  59: 'fraud',
  62: 'blocked',
};

/** A failed call: the server refused it or did not answer. */
export class EmbossError extends Error {
  override readonly name = 'EmbossError';
  readonly status: number | null;
  readonly code: number | null;
  /** Identifies the request in the server's log. */
  readonly requestId: string | null;
  /** The wait that the server requested. */
  readonly retryAfterMs: number | undefined;
  /** True if the server may have executed the request: there was no answer, or it leaves the outcome open. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, details: Details) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId ?? null;
    this.retryAfterMs = details.retryAfterMs;
    this.outcomeUnknown = details.outcomeUnknown ?? false;
  }

  /**
   * No such record, or a record of another program. An unknown card design is a 400 with code 404. A 404 with another
   * message is not about a record: `baseUrl` is wrong.
   */
  get isNotFound(): boolean {
    return this.code === 404 && this.message === 'Record not found';
  }
  /** The key is missing, unknown, revoked or expired. */
  get isUnauthorized(): boolean {
    return this.status === 401;
  }
  /** The key lacks a scope. */
  get isForbidden(): boolean {
    return this.status === 403;
  }
  /** The id or Idempotency-Key was already used with a different request. */
  get isConflict(): boolean {
    return this.status === 409;
  }
  get isRateLimited(): boolean {
    return this.status === 429;
  }
  /** The invalid field: `kyc.lastName` of "kyc.lastName: is required". */
  get field(): string | undefined {
    return this.status === 400 ? /^([\w.-]+): /.exec(this.message)?.[1] : undefined;
  }
  /** The card's state, if that is why the card cannot be changed. */
  get cardState(): 'lost' | 'stolen' | 'expired' | 'fraud' | 'blocked' | undefined {
    return this.status === 400 ? CARD_STATES[this.code ?? 0] : undefined;
  }
}

export const isEmbossError = (error: unknown): error is EmbossError => error instanceof EmbossError;
