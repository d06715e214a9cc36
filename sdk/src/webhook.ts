import type { Event } from './generated/types.ts';

/** Of `fetch`, or of Node. */
export type Headers =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** The accepted difference between the time of sending and now, in seconds. Default 300. */
  toleranceSeconds?: number | undefined;
  /** Default: the current time. */
  nowMs?: number | undefined;
}

/** A request that did not come from Emboss, or a replayed one. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * Returns the event of a webhook request after verifying that Emboss sent it (Standard Webhooks). `body` must be the
 * received bytes: a body that was parsed and serialised again does not verify. Give both secrets during a rotation.
 */
export const verifyWebhook = async (
  body: string | Uint8Array,
  headers: Headers,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Promise<Event> => (await verifySigned(body, headers, secrets, options)) as Event;

/** The same for whatever Emboss signs. */
export async function verifySigned(
  body: unknown,
  headers: Headers,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {},
): Promise<object> {
  const bytes = bytesOf(body);
  const keys = await Promise.all(given(secrets).map(importSecret));
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesIn(headerOf(headers, 'webhook-signature'));
  const sentMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN;
  if (!(Math.abs(nowMs - sentMs) <= toleranceSeconds * 1000))
    throw new WebhookError('webhook-timestamp: differs too much from the current time');
  const content = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const checks = keys.flatMap((key) =>
    // The runtime compares in constant time.
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, content)),
  );
  if (!(await Promise.all(checks)).includes(true))
    throw new WebhookError('webhook-signature: does not match any of the secrets');
  return objectIn(new TextDecoder().decode(bytes));
}

/** Frameworks often parse the body, which can then never verify; the error explains this to the developer. */
function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError('body: must be the raw request body as a string or bytes; pass it before it is parsed');
}

function given(secrets: unknown): string[] {
  const all = [secrets].flat();
  if (all.length === 0 || !all.every((secret) => typeof secret === 'string' && secret !== ''))
    throw new TypeError('secrets: is missing; pass the secret of the endpoint');
  return all as string[];
}

function objectIn(text: string): object {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    // Handled below, with every other body that is not an event.
  }
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw new WebhookError('body: the signature is valid, but the body is not an event');
  return event;
}

function headerOf(headers: Headers, name: string): string {
  const value = typeof headers['get'] === 'function' ? headers.get(name) : fieldOf(headers, name);
  if (typeof value !== 'string' || value === '') throw new WebhookError(`${name}: is missing`);
  return value;
}

/** Node lower-cases header names; other runtimes may not. */
const fieldOf = (headers: object, name: string): unknown =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

/** Skips other versions: a sender may sign with several versions at once. */
const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(' ').flatMap((part) => {
    const [version, signature = ''] = part.split(',');
    const bytes = version === 'v1' ? decodeBase64(signature) : undefined;
    return bytes ? [bytes] : [];
  });

function importSecret(secret: string) {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!bytes?.length)
    throw new TypeError(
      'secrets: must be a secret such as whsec_…, which Emboss shows when you add the endpoint',
    );
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
