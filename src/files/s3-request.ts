import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { reveal, type Secret } from '../kernel/secret.ts';
import { networkTrouble, readTrouble, type S3Trouble } from './s3-trouble.ts';
import { requireKey } from './storage.ts';

export interface S3Settings {
  /** The address of the service without the bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: Secret;
  secretAccessKey: Secret;
  /**
   * True: the bucket is the first part of the path, which every server supports. False: it is part of the host name.
   */
  pathStyle: boolean;
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** The time limit up to the response headers, 60 s by default. The HTTP client reports a body that stalls. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;

export async function sendS3(settings: S3Settings, request: S3Request): Promise<Response> {
  const answer = await tryS3(settings, request);
  if (answer instanceof Response) return answer;
  throw answer.error;
}

/** Like `sendS3`, but undefined if the object does not exist. */
export async function findS3(settings: S3Settings, request: S3Request): Promise<Response | undefined> {
  const answer = await tryS3(settings, request);
  if (answer instanceof Response) return answer;
  if (answer.isMissing) return undefined;
  throw answer.error;
}

/** Retries after network errors, overload and server errors. Every request is safe to repeat. */
async function tryS3(settings: S3Settings, request: S3Request): Promise<Response | S3Trouble> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await tryOnce(settings, request);
    if (answer instanceof Response || !answer.mayPass || attempt === ATTEMPTS) return answer;
    // Half fixed, half random, so that workers that failed together do not retry together.
    const longestMs = FIRST_PAUSE_MS * 2 ** (attempt - 1);
    await sleep(longestMs / 2 + (Math.random() * longestMs) / 2);
  }
}

/** Signs every attempt again, because the signature contains the time. It covers the content too. */
async function tryOnce(settings: S3Settings, request: S3Request): Promise<Response | S3Trouble> {
  const { method, body = new Uint8Array(0), timeoutMs = TIMEOUT_MS } = request;
  const contentDigest = createHash('sha256').update(body).digest('hex');
  const headers = { ...request.headers, 'x-amz-content-sha256': contentDigest };
  const signed = await signerOf(settings, request, { method, headers }).sign();
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), timeoutMs);
  try {
    const response = await fetch(signed.url, {
      method,
      headers: signed.headers,
      body: body.length > 0 ? body : null,
      // A redirect would send the signature to an address that is not configured.
      redirect: 'manual',
      signal: patience.signal,
    });
    return response.ok ? response : await readTrouble(method, response);
  } catch (error) {
    return networkTrouble(method, error);
  } finally {
    clearTimeout(timer);
  }
}

/** A link to one file that works without this server until it expires. */
export async function presignS3(
  settings: S3Settings,
  file: { key: string; query: Record<string, string> },
  seconds: number,
  nowMs: number,
): Promise<string> {
  const query = { ...file.query, 'X-Amz-Expires': String(seconds) };
  const datetime = new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
  const signer = signerOf(settings, { ...file, query }, { method: 'GET', signQuery: true, datetime });
  // Not every server reads a plus in a query as a space.
  return (await signer.sign()).url.href.replaceAll('+', '%20');
}

function signerOf(
  settings: S3Settings,
  { key, query = {} }: Pick<S3Request, 'key' | 'query'>,
  options: { method: string; headers?: Record<string, string>; signQuery?: boolean; datetime?: string },
): AwsV4Signer {
  return new AwsV4Signer({
    ...options,
    url: addressOf(settings, key, query),
    service: 's3',
    region: settings.region,
    accessKeyId: reveal(settings.accessKeyId),
    secretAccessKey: reveal(settings.secretAccessKey),
  });
}

function addressOf(
  { endpoint, bucket, pathStyle }: S3Settings,
  key: string,
  query: Record<string, string>,
): string {
  // A checked key needs no escaping.
  requireKey(key);
  const url = new URL(endpoint);
  const base = url.pathname.replace(/\/+$/, '');
  if (!pathStyle) url.host = `${bucket}.${url.host}`;
  url.pathname = pathStyle ? `${base}/${bucket}/${key}` : `${base}/${key}`;
  url.search = new URLSearchParams(query).toString();
  return url.href;
}
