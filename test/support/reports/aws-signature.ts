import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** AWS Signature Version 4 as a server checks it, written from Amazon's documentation and not from our code. */
export interface SignedRequest {
  method: string;
  /** As it came over the wire, with its query. */
  url: string;
  headers: IncomingHttpHeaders;
}

export interface SignerKeys {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

/** Undefined where the signature is right, else the code that S3 would answer with. */
export function findSignatureFault(
  request: SignedRequest,
  keys: SignerKeys,
  nowMs: number,
): string | undefined {
  const { searchParams } = new URL(request.url, 'http://host');
  const inQuery = searchParams.has('X-Amz-Signature');
  const header = /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  );
  const [credential, signedHeaders, signature] = inQuery
    ? ['X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Signature'].map((name) => searchParams.get(name))
    : (header?.slice(1) ?? []);
  if (!credential || !signedHeaders || !signature) return 'AccessDenied';
  const moment = (inQuery ? searchParams.get('X-Amz-Date') : request.headers['x-amz-date']) as string;
  const scope = [moment.slice(0, 8), keys.region, 's3', 'aws4_request'].join('/');
  if (!credential.startsWith(`${keys.accessKeyId}/`)) return 'InvalidAccessKeyId';
  if (credential !== `${keys.accessKeyId}/${scope}`) return 'AuthorizationHeaderMalformed';

  const expected = signatureOf(
    request,
    { signedHeaders: signedHeaders.split(';'), moment, scope },
    keys.secretAccessKey,
  );
  if (expected !== signature) return 'SignatureDoesNotMatch';
  const ageSeconds = (nowMs - momentMs(moment)) / 1000;
  const lifeSeconds = inQuery ? Number(searchParams.get('X-Amz-Expires')) : 900;
  if (!(ageSeconds <= lifeSeconds && ageSeconds > -900))
    return inQuery ? 'AccessDenied' : 'RequestTimeTooSkewed';
  return undefined;
}

export function signatureOf(
  { method, url, headers }: SignedRequest,
  { signedHeaders, moment, scope }: { signedHeaders: string[]; moment: string; scope: string },
  secretAccessKey: string,
): string {
  const [path = '', query = ''] = url.split('?');
  const parameters = query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => pair.split('=').map((text) => escapeStrictly(decodeURIComponent(text))))
    .map(([name = '', value = '']) => `${name}=${value}`)
    .sort();
  const canonical = [
    method,
    path,
    parameters.join('&'),
    ...signedHeaders.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signedHeaders.join(';'),
    headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD',
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secretAccessKey}`);
  return hmac(key, toSign).toString('hex');
}

export const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const escapeStrictly = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** `20130524T000000Z` */
const momentMs = (moment: string): number =>
  Date.parse(moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
