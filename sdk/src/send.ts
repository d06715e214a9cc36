import type { Client, KeyKind, RequestOptions } from './client.ts';
import { EmbossError } from './error.ts';
import { mayRepeat, pause, pauseMs, retryAfterMs } from './retry.ts';

export interface Request {
  method: string;
  path: string;
  key: KeyKind;
  /** When it may be repeated though its outcome is unknown: `always`, `with a key`, `by <field of the body>`, `never`. */
  retry: string;
  query?: object | undefined;
  body?: unknown;
}

/** One call: as many requests as it takes, and the answer of the one that succeeded. */
export async function send<Answer>(
  client: Client,
  request: Request,
  options: RequestOptions = {},
): Promise<Answer> {
  const { signal, maxRetries = client.maxRetries, timeoutMs = client.timeoutMs } = options;
  const message = messageOf(client, request, options);
  for (let attempt = 0; ; attempt += 1)
    try {
      return (await exchange(client, message, timeoutMs, signal)) as Answer;
    } catch (error) {
      if (!(error instanceof EmbossError)) throw error;
      if (attempt >= maxRetries || !mayRepeat(error, message.repeatable)) throw error;
      await pause(pauseMs(attempt, error.retryAfterMs), signal);
    }
}

export const segment = (id: string): string => encodeURIComponent(id);

interface Message {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  repeatable: boolean;
}

/** Made once for all attempts: it is the same key that makes a second attempt harmless. */
function messageOf(client: Client, request: Request, options: RequestOptions): Message {
  const { method, path, key, retry, query, body } = request;
  // An empty id or dots would make it another path.
  if (/\/\.{0,2}\//.test(path)) throw new TypeError('an id must not be empty');
  const headers: Record<string, string> = { accept: 'application/json', ...client.keyHeaders(key) };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (retry === 'with a key') headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
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
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

/** One request. Every failure is an `EmbossError`, except that the caller gave up: then it is the signal's reason. */
async function exchange(
  client: Client,
  { url, method, headers, body }: Message,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  let status: number | null = null;
  let requestId: string | null = null;
  try {
    const response = await client.fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      // A redirect is never followed: it would carry the key to somebody else.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    status = response.status;
    requestId = response.headers.get('x-request-id');
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw refusal(response, text);
  } catch (error) {
    if (error instanceof EmbossError) throw error;
    signal?.throwIfAborted();
    throw new EmbossError(failureWords(error, timeout, timeoutMs, status), {
      status,
      code: status,
      requestId,
      outcomeUnknown: true,
      cause: error,
    });
  }
}

function failureWords(
  error: unknown,
  timeout: AbortSignal,
  timeoutMs: number,
  status: number | null,
): string {
  if (timeout.aborted) return `No answer within ${timeoutMs} ms`;
  if (status === null) return 'The server cannot be reached';
  return error instanceof SyntaxError
    ? 'The answer is not JSON; is baseUrl the address of an Emboss server?'
    : 'The answer broke off';
}

/** The one error body; whoever stands between us and the server may answer with something else. */
function refusal(response: Response, text: string): EmbossError {
  const { status, headers } = response;
  const body = errorBody(text);
  const redirected = status === 0 || (status >= 300 && status < 400);
  const words = redirected
    ? 'The server sent a redirect; give its final address as baseUrl'
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
