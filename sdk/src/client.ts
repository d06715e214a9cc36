export interface ClientOptions {
  /** The address of the server: `https://cards.example.com`, with a path if a proxy serves it under one. */
  baseUrl: string;
  /** The program's merchant key. */
  apiKey?: string | undefined;
  /** The program's network key, for clients that send authorizations. */
  networkKey?: string | undefined;
  /** Default: the runtime's `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is retried after a temporary failure. Default 3. */
  maxRetries?: number | undefined;
  /** Time limit of each attempt, until its answer is read. Default 30 000; 0 or Infinity: no limit. */
  timeoutMs?: number | undefined;
}

/** Options of one request; they override those of the client. */
export interface RequestOptions {
  signal?: AbortSignal | undefined;
  maxRetries?: number | undefined;
  timeoutMs?: number | undefined;
}

/** Options of calls that take an `Idempotency-Key`. */
export interface IdempotentOptions extends RequestOptions {
  /** Default: a new key for each call, used for all its retries. Set your own key to retry safely after a crash. */
  idempotencyKey?: string | undefined;
}

export type KeyKind = 'merchant' | 'network' | 'none';

/** The state that operations need. It hides the keys: printing or serialising a client does not show them. */
export interface Client {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly keyHeaders: (kind: KeyKind) => Record<string, string>;
}

export function createClient(options: ClientOptions): Client {
  const { apiKey, networkKey, maxRetries = 3, timeoutMs = 30_000 } = options;
  const baseUrl = new URL(options.baseUrl);
  if (!/^https?:$/.test(baseUrl.protocol))
    throw new TypeError('baseUrl: must begin with http:// or https://');
  if (apiKey) requireHeaderText('apiKey', apiKey);
  if (networkKey) requireHeaderText('networkKey', networkKey);
  const required = (name: string, key: string | undefined): string => {
    if (!key)
      throw new TypeError(`${name}: is required for this call; pass it to createEmboss or createClient`);
    return key;
  };
  return {
    // Removes the common path prefix, in case the address was copied with it.
    baseUrl: (baseUrl.origin + baseUrl.pathname).replace(/(\/api\/v1(\/merchant)?)?\/*$/, ''),
    // Some runtimes refuse a `fetch` that is called as a method of another object.
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    maxRetries,
    timeoutMs,
    keyHeaders: (kind) => {
      if (kind === 'merchant') return { 'x-payments-api-key': required('apiKey', apiKey) };
      return kind === 'network' ? { 'x-network-key': required('networkKey', networkKey) } : {};
    },
  };
}

/**
 * Refuses text that a header cannot carry, before the request and the same way in every runtime. The message omits the
 * text, because it may be a secret.
 */
export function requireHeaderText(name: string, text: unknown): void {
  if (typeof text !== 'string' || !/^[!-~]([ -~]*[!-~])?$/.test(text))
    throw new TypeError(
      `${name}: must be printable ASCII characters without a space or line break at either end`,
    );
}
