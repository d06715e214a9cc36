import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const SMALLEST_COMPRESSED_BYTES = 1_000;

/** A file that is served from memory, compressed when a client first accepts it compressed. */
export interface StaticFile {
  type: string;
  etag: string;
  plain: Buffer;
  /** Undefined: too small, or compressed already. */
  br: (() => Buffer) | undefined;
  gzip: (() => Buffer) | undefined;
}

export function staticFile(plain: Buffer, type: string): StaticFile {
  const compress = /text|javascript|json|svg/.test(type) && plain.length >= SMALLEST_COMPRESSED_BYTES;
  return {
    type,
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    br: compress ? once(() => brotli(plain)) : undefined,
    gzip: compress ? once(() => gzipSync(plain)) : undefined,
  };
}

function once(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined;
  return () => (made ??= make());
}

/** Not the strongest level, which takes seconds. */
const brotli = (plain: Buffer): Buffer =>
  brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });

interface Request {
  headers: Record<string, string | string[] | undefined>;
}

export interface Reply {
  statusCode: number;
  code(status: number): Reply;
  header(name: string, value: string): Reply;
  type(contentType: string): Reply;
  send(body?: string | Buffer): unknown;
}

/** The file in an encoding that the client accepts, or 304 where the client has it already. */
export function sendFile(
  { headers }: Request,
  reply: Reply,
  { type, etag, plain, br, gzip }: StaticFile,
  cacheControl = 'no-cache',
): unknown {
  reply
    .header('cache-control', cacheControl)
    .header('etag', etag)
    .header('vary', 'accept-encoding')
    .type(type);
  if (reply.statusCode === 200 && headers['if-none-match'] === etag) return reply.code(304).send();
  const accepted = String(headers['accept-encoding'] ?? '');
  if (br && /\bbr\b(?!\s*;\s*q=0(?![.\d]))/.test(accepted))
    return reply.header('content-encoding', 'br').send(br());
  if (gzip && /\bgzip\b(?!\s*;\s*q=0(?![.\d]))/.test(accepted))
    return reply.header('content-encoding', 'gzip').send(gzip());
  return reply.send(plain);
}
