import {
  type Client,
  type IdempotentOptions,
  type KeyKind,
  type RequestOptions,
  requireHeaderText,
} from './client.ts';
import { EmbossError } from './error.ts';
import { mayRepeat, pause, pauseMs, retryAfterMs, timeLimit } from './retry.ts';

export interface Request {
  method: string;
  path: string;
  key: KeyKind;
  /** When to repeat a request with an unknown outcome: `always`, `with a key`, `by <field of the body>`, `never`. */
  retry: string;
  query?: object | undefined;
  body?: unknown;
}

/** One call: sends requests until one succeeds, and returns its answer. */
export async function send<Answer>(
  client: Client,
  request: Request,
  options: IdempotentOptions = {},
): Promise<Answer> {
  // Created once for all attempts: with the same key, a second attempt has no second effect.
  const message = messageOf(client, request, options);
  return repeat(client, options, () => message, readJson) as Promise<Answer>;
}

/** Sends until success or a final failure. An error of `prepare`, which has its own attempts, is final. */
export async function repeat<Answer>(
  client: Client,
  options: RequestOptions,
  prepare: () => Message | Promise<Message>,
  read: (response: Response) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { signal, maxRetries = client.maxRetries } = options;
  for (let attempt = 0; ; attempt += 1) {
    const message = await prepare();
    try {
      return await exchange(client, message, options, read);
    } catch (error) {
      if (!(error instanceof EmbossError)) throw error;
      if (attempt >= maxRetries || !mayRepeat(error, message.repeatable)) throw error;
      await pause(pauseMs(attempt, error.retryAfterMs), signal);
    }
  }
}

const readJson = async (response: Response): Promise<unknown> => JSON.parse(await response.text());

export const segment = (id: string): string => encodeURIComponent(id);

export interface Message {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  repeatable: boolean;
}

function messageOf(client: Client, request: Request, options: IdempotentOptions): Message {
  const { method, path, key, retry, query, body } = request;
  // An empty id or dots would change the path.
  if (/\/\.{0,2}\//.test(path)) throw new TypeError('id: must not be empty, "." or ".."');
  const headers: Record<string, string> = { accept: 'application/json', ...client.keyHeaders(key) };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (retry === 'with a key') {
    const { idempotencyKey = crypto.randomUUID() } = options;
    requireHeaderText('idempotencyKey', idempotencyKey);
    headers['idempotency-key'] = idempotencyKey;
  }
  return {
    url: client.baseUrl + path + queryText(query),
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    repeatable: isRepeatable(retry, body),
  };
}

function isRepeatable(retry: string, body: unknown): boolean {
  if (!retry.startsWith('by ')) return retry !== 'never';
  return (body as Record<string, unknown>)[retry.slice('by '.length)] !== undefined;
}

function queryText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(
    given.flatMap(([name, value]): Array<[string, string]> => {
      if (typeof value !== 'object') return [[name, String(value)]];
      return Object.entries(value).map(([key, each]) => [`${name}[${key}]`, String(each)]);
    }),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

/** One request. Every failure is an `EmbossError`, except an abort by the caller, which throws the signal's reason. */
async function exchange<Answer>(
  client: Client,
  { url, method, headers, body }: Message,
  { signal, timeoutMs = client.timeoutMs }: RequestOptions,
  read: (response: Response) => Answer | Promise<Answer>,
): Promise<Answer> {
  signal?.throwIfAborted();
  const limit = timeLimit(timeoutMs);
  let status: number | null = null;
  let requestId: string | null = null;
  try {
    const response = await client.fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      // Redirects are not followed: they could send the key to another server.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    });
    status = response.status;
    requestId = response.headers.get('x-request-id');
    if (!response.ok) throw refusal(response, await response.text());
    return await read(response);
  } catch (error) {
    if (error instanceof EmbossError) throw error;
    signal?.throwIfAborted();
    const words = limit.signal.aborted ? lateWords(timeoutMs) : failureWords(error, status);
    throw new EmbossError(words, { status, code: status, requestId, outcomeUnknown: true, cause: error });
  } finally {
    limit.end();
  }
}

export const lateWords = (timeoutMs: number): string => `No response within ${timeoutMs} ms`;

function failureWords(error: unknown, status: number | null): string {
  if (status === null) return 'The server cannot be reached';
  return error instanceof SyntaxError
    ? 'The response is not JSON; check that baseUrl is the address of an Emboss server'
    : BROKEN_OFF;
}

export const BROKEN_OFF = 'The response broke off';

/** The error body of the API; a proxy may answer with something else. */
function refusal(response: Response, text: string): EmbossError {
  const { status, headers } = response;
  const body = errorBody(text);
  const redirected = status === 0 || (status >= 300 && status < 400);
  const words = redirected
    ? 'The server sent a redirect; set baseUrl to its final address'
    : `HTTP ${status}`;
  return new EmbossError(body?.message ?? words, {
    status,
    code: body?.code ?? status,
    requestId: headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
    outcomeUnknown: status >= 500,
  });
}

function errorBody(text: string): { code: number; message: string } | undefined {
  try {
    const body = JSON.parse(text) as { code?: unknown; message?: unknown };
    const { code, message } = body;
    return typeof code === 'number' && typeof message === 'string' ? { code, message } : undefined;
  } catch {
    return undefined;
  }
}
