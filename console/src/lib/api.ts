import { isUnattended } from './attention.ts';
import { noteAnswer } from './connection.ts';
import { isSamePerson, keepCsrfToken, readCsrfToken } from './csrf-token.ts';
import type { Session } from './types.ts';

const BASE = '/console/api/';
/** Statuses of a proxy whose server is unavailable, and of a server whose database is unavailable. */
const AWAY = new Set([502, 503, 504]);

/** A refusal or a failure with the server's message. Status 0: no answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: number;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    message: string,
    { code = status, requestId = null as string | null, retryAfterSeconds = null as number | null } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export type QueryValues = Record<string, string | number | boolean | null | undefined>;

interface SendOptions {
  body?: unknown;
  query?: QueryValues;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

/** `path` is relative to the console API and ends in a slash: `session/`, `programs/{id}/search/`. */
export async function send<Answer>(method: Method, path: string, options: SendOptions = {}): Promise<Answer> {
  const token = readCsrfToken();
  const response = await request(method, path, options, token);
  if (response.status === 403 && path !== 'session/') {
    // After a new sign-in in another tab the token has changed: read the session and retry once. Only for the same
    // operator: a request of one operator must not be sent as another.
    const answer = await request('GET', 'session/', {}, null);
    const session = answer.ok ? ((await answer.json()) as Session) : undefined;
    if (session && session.csrfToken !== token) {
      if (!isSamePerson(session))
        throw new ApiError(403, `${session.operator.name} is now signed in here. Reload the page.`);
      keepCsrfToken(session);
      return read<Answer>(await request(method, path, options, session.csrfToken));
    }
  }
  return read<Answer>(response);
}

async function request(
  method: Method,
  path: string,
  { body, query, headers, signal }: SendOptions,
  csrfToken: string | null,
): Promise<Response> {
  try {
    const response = await fetch(`${BASE}${path}${queryText(query)}`, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(csrfToken !== null && { 'x-csrf-token': csrfToken }),
        ...(isUnattended() && { 'x-unattended': '1' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    noteAnswer(!AWAY.has(response.status));
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    noteAnswer(false);
    throw new ApiError(0, 'The server cannot be reached.');
  }
}

async function read<Answer>(response: Response): Promise<Answer> {
  const body = (await response.json().catch(() => null)) as
    | (Answer & { code?: number; message?: string })
    | null;
  if (response.ok && body !== null) return body;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ApiError(response.ok ? 502 : response.status, body?.message ?? 'The server returned no reason.', {
    ...(body?.code !== undefined && { code: body.code }),
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

function queryText(query: QueryValues | undefined): string {
  const given = Object.entries(query ?? {}).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** The console API of one program. `merchant/…` and `sandbox/…` are paths of the public API, used with the session. */
export function programApi(programId: string) {
  const at = (path: string) => `programs/${encodeURIComponent(programId)}/${path}`;
  return {
    get: <Answer>(path: string, query?: QueryValues, signal?: AbortSignal) =>
      send<Answer>('GET', at(path), { ...(query && { query }), ...(signal && { signal }) }),
    post: <Answer>(path: string, body?: unknown, headers?: Record<string, string>) =>
      send<Answer>('POST', at(path), { body: body ?? {}, ...(headers && { headers }) }),
    put: <Answer>(path: string, body?: unknown, headers?: Record<string, string>) =>
      send<Answer>('PUT', at(path), { body: body ?? {}, ...(headers && { headers }) }),
    patch: <Answer>(path: string, body: unknown) => send<Answer>('PATCH', at(path), { body }),
    delete: <Answer>(path: string, body?: unknown) =>
      send<Answer>('DELETE', at(path), { ...(body !== undefined && { body }) }),
  };
}
export type ProgramApi = ReturnType<typeof programApi>;

/** Downloads a file of the console API, which a link cannot: it needs the session's token. */
export async function download(programId: string, path: string, query: QueryValues): Promise<void> {
  const at = `programs/${encodeURIComponent(programId)}/${path}`;
  const response = await request('GET', at, { query }, readCsrfToken());
  if (!response.ok) await read(response);
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  saveFile(name ?? 'export.csv', await response.blob());
}

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
