import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbossError } from '../kernel/error.ts';
import { reveal, type Secret } from '../kernel/secret.ts';
import { providerDown, providerTimedOut, providerUnusable } from './failure.ts';

export interface SumsubSettings {
  baseUrl: string;
  appToken: Secret;
  secretKey: Secret;
  /** Covers all attempts and the pauses between them. */
  timeoutMs: number;
  attempts: number;
}

export interface SumsubAnswer {
  status: number;
  body: Buffer;
}

/** Retried: network errors, and a server that is overloaded or failing. */
interface Trouble {
  trouble: string;
  retryAfterMs: number;
}

/** An applicant's record has a few kilobytes; a far larger answer is invalid and must not fill the memory. */
const MAX_BODY_BYTES = 256 * 1024;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Signed for every attempt, because the time is part of the signature. */
function signedHeaders(settings: SumsubSettings, path: string): Record<string, string> {
  const unixSeconds = Math.floor(Date.now() / 1000).toString();
  return {
    Accept: 'application/json',
    'X-App-Token': reveal(settings.appToken),
    'X-App-Access-Ts': unixSeconds,
    'X-App-Access-Sig': createHmac('sha256', reveal(settings.secretKey))
      .update(`${unixSeconds}GET${path}`)
      .digest('hex'),
  };
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > MAX_BODY_BYTES) throw providerUnusable(`Sumsub sent more than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The header contains seconds or a date; anything else is ignored. */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : 0;
}

/** The code only: the message of a network error may contain a header, and a header contains our token. */
function networkCode(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : 'network error';
}

async function tryOnce(
  settings: SumsubSettings,
  path: string,
  signal: AbortSignal,
): Promise<SumsubAnswer | Trouble> {
  try {
    const headers = signedHeaders(settings, path);
    // A redirect would send our token to another address.
    const response = await fetch(new URL(path, settings.baseUrl), { headers, redirect: 'manual', signal });
    if (response.status === 429 || response.status >= 500) {
      await response.body?.cancel();
      const wanted = retryAfterMs(response.headers.get('retry-after'));
      return { trouble: `status ${response.status}`, retryAfterMs: wanted };
    }
    return { status: response.status, body: await readBounded(response) };
  } catch (error) {
    if (error instanceof EmbossError) throw error;
    if (signal.aborted) throw providerTimedOut(`Sumsub took longer than ${settings.timeoutMs} ms`);
    return { trouble: networkCode(error), retryAfterMs: 0 };
  }
}

/** Half fixed, half random, so that processes do not retry at the same moment. */
function pauseMs(attempt: number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  return longest / 2 + (Math.random() * longest) / 2;
}

/** One request with retries: a GET changes nothing at Sumsub. */
export async function requestSumsub(settings: SumsubSettings, path: string): Promise<SumsubAnswer> {
  const signal = AbortSignal.timeout(settings.timeoutMs);
  const deadlineMs = performance.now() + settings.timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    const result = await tryOnce(settings, path, signal);
    if ('status' in result) return result;
    const waitMs = Math.max(pauseMs(attempt), result.retryAfterMs);
    // A pause beyond the limit cannot help, so the request fails immediately.
    if (attempt >= settings.attempts || performance.now() + waitMs >= deadlineMs) {
      throw providerDown(`Sumsub: ${result.trouble} at attempt ${attempt}`);
    }
    await sleep(waitMs);
  }
}
