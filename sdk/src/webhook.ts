import type { Event } from './generated/types.ts';

type Headers = { get(name: string): string | null } | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** How far the time of sending may lie from ours, in seconds. Default 300. */
  toleranceSeconds?: number | undefined;
  /** Default: the time now. */
  nowMs?: number | undefined;
}

/** A request that is not from us, or is one that somebody kept and sent again. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * The event of a webhook request, once it is certain that it came from Emboss (Standard Webhooks). `body` is what
 * arrived, byte for byte: parsed and written again it would no longer verify. Give both secrets while one is changed.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {},
): Promise<Event> {
  const bytes = bytesOf(body);
  const keys = await Promise.all(given(secrets).map(importSecret));
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesIn(headerOf(headers, 'webhook-signature'));
  const sentMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN;
  if (!(Math.abs(nowMs - sentMs) <= toleranceSeconds * 1000))
    throw new WebhookError('webhook-timestamp: too far from the time now');
  const content = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const checks = keys.flatMap((key) =>
    // The runtime compares in constant time.
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, content)),
  );
  if (!(await Promise.all(checks)).includes(true))
    throw new WebhookError('webhook-signature: none is of a secret that was given');
  return eventIn(new TextDecoder().decode(bytes));
}

/** Frameworks like to parse what comes; then nothing could ever verify, and whoever wrote the receiver has to know. */
function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError('give the raw body as it came, text or bytes, before anything parses it');
}

function given(secrets: unknown): string[] {
  const all = [secrets].flat();
  if (all.length === 0 || !all.every((secret) => typeof secret === 'string' && secret !== ''))
    throw new TypeError('give the secret of the endpoint; it is missing');
  return all as string[];
}

function eventIn(text: string): Event {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    // Told below, with everything else that is no event.
  }
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw new WebhookError('body: is signed, but is no event');
  return event as Event;
}

function headerOf(headers: Headers, name: string): string {
  const value = typeof headers['get'] === 'function' ? headers.get(name) : fieldOf(headers, name);
  if (typeof value !== 'string' || value === '') throw new WebhookError(`${name}: is missing`);
  return value;
}

/** Node writes the names small; others pass them on as they came. */
const fieldOf = (headers: object, name: string): unknown =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

/** Other versions are skipped: a sender may sign in several ways at once. */
const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(' ').flatMap((part) => {
    const [version, signature = ''] = part.split(',');
    const bytes = version === 'v1' ? decodeBase64(signature) : undefined;
    return bytes ? [bytes] : [];
  });

function importSecret(secret: string) {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!bytes?.length)
    throw new TypeError('a webhook secret looks like whsec_… and is shown when the endpoint is added');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
