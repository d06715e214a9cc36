interface Details {
  /** The HTTP status; null where no answer came. */
  status: number | null;
  /** The code of the error table: the status, or for example 43, a stolen card. Null where no answer came. */
  code: number | null;
  requestId?: string | null;
  retryAfterMs?: number | undefined;
  /** Whether the server may have done what was asked. */
  outcomeUnknown?: boolean;
  cause?: unknown;
}

/** Codes that a card's state brings. */
const CARD_STATES: Record<number, 'lost' | 'stolen' | 'expired' | 'fraud' | 'blocked'> = {
  41: 'lost',
  43: 'stolen',
  54: 'expired',
  59: 'fraud',
  62: 'blocked',
};

/** A call that failed, whether the server refused it or no answer came. */
export class EmbossError extends Error {
  override readonly name = 'EmbossError';
  readonly status: number | null;
  readonly code: number | null;
  /** Names the request in the server's log. */
  readonly requestId: string | null;
  /** How long the server asked us to wait. */
  readonly retryAfterMs: number | undefined;
  /** True where the server may have done it all the same: no answer came, or one that does not tell. */
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
   * No such record, or one of another program. An unknown card design is a 400 with code 404; a 404 with other words is
   * no answer about a record: `baseUrl` leads elsewhere.
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
  /** The field that broke a rule: `kyc.lastName` of "kyc.lastName: is required". */
  get field(): string | undefined {
    return this.status === 400 ? /^([\w.-]+): /.exec(this.message)?.[1] : undefined;
  }
  /** Why the card cannot be changed, where that is the reason. */
  get cardState(): 'lost' | 'stolen' | 'expired' | 'fraud' | 'blocked' | undefined {
    return this.status === 400 ? CARD_STATES[this.code ?? 0] : undefined;
  }
}

export const isEmbossError = (error: unknown): error is EmbossError => error instanceof EmbossError;
