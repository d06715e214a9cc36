export interface ClientOptions {
  /** Where the server is: `https://cards.example.com`, or with a path where a proxy puts it under one. */
  baseUrl: string;
  /** The program's merchant key. */
  apiKey?: string | undefined;
  /** The program's network key, for those who send authorizations. */
  networkKey?: string | undefined;
  /** Default: the runtime's own. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is repeated after a failure that may pass. Default 3. */
  maxRetries?: number | undefined;
  /** For each attempt, until its answer is read. Default 30 000; 0 or Infinity is no limit. */
  timeoutMs?: number | undefined;
}

/** What a request may want otherwise than the client. */
export interface RequestOptions {
  signal?: AbortSignal | undefined;
  maxRetries?: number | undefined;
  timeoutMs?: number | undefined;
}

/** Of the calls that take an `Idempotency-Key`. */
export interface IdempotentOptions extends RequestOptions {
  /** Default: a new one for each call, the same over its retries. Give your own to be safe over a crash of yours. */
  idempotencyKey?: string | undefined;
}

export type KeyKind = 'merchant' | 'network' | 'none';

/** What the operations need to know. The keys stay inside: a client that is printed or serialised shows none. */
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
      throw new TypeError(`${name}: is needed for this call; give it to createEmboss or createClient`);
    return key;
  };
  return {
    // Who copies the address of the API gives the part that every path begins with.
    baseUrl: (baseUrl.origin + baseUrl.pathname).replace(/(\/api\/v1(\/merchant)?)?\/*$/, ''),
    // Some runtimes refuse a fetch that is called as a method of something else.
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    maxRetries,
    timeoutMs,
    keyHeaders: (kind) => {
      if (kind === 'merchant') return { 'x-payments-api-key': required('apiKey', apiKey) };
      return kind === 'network' ? { 'x-network-key': required('networkKey', networkKey) } : {};
    },
  };
}

/** What cannot be sent is told at once, without the text: it may be a secret. Every runtime would say it in its own way, and later. */
export function requireHeaderText(name: string, text: unknown): void {
  if (typeof text !== 'string' || !/^[!-~]([ -~]*[!-~])?$/.test(text))
    throw new TypeError(
      `${name}: must be printable ASCII characters with no space or line break around them`,
    );
}
