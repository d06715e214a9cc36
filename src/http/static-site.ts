import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { EmbossError } from '../kernel/error.ts';
import type { App } from './server.ts';
import { type Reply, type StaticFile, sendFile, staticFile } from './static-file.ts';
import { AnyQuery } from './validation.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
/** The build puts files here whose names change with their content. */
const HASHED = 'assets/';
const NONCE = '__CSP_NONCE__';

/** Everything comes from this server, styles need the nonce of this answer, and no other page may frame it. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Serves a built browser app under a prefix. Its files are read and compressed once, so a requested name is looked up in a
 * list and never reaches the disk. Every other path is a page of the app and gets its HTML document.
 */
export function serveSite(app: App, prefix: string, directory: string): void {
  let files: Map<string, StaticFile> | undefined;
  const load = () => {
    // A missing build is not cached: it may appear later.
    if (!files || files.size === 0) files = readFiles(directory);
    return files;
  };
  // The app reads the query in the browser.
  const hidden = { schema: { hide: true, querystring: AnyQuery } as never };

  /** The same document for every path: the app routes in the browser. */
  const sendPage = (reply: Reply) => {
    const page = load().get('index.html');
    if (!page) throw new EmbossError(503, 'The console is not built; run "npm run build"');
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', policy(nonce))
      .header('cache-control', 'no-store')
      .type(page.type)
      .send(page.plain.toString().replaceAll(NONCE, nonce));
  };

  app.get(prefix, hidden, async (request, reply) =>
    request.url.startsWith(`${prefix}/`)
      ? sendPage(reply)
      : reply.redirect(request.url.replace(prefix, `${prefix}/`), 308),
  );
  app.get(`${prefix}/*`, hidden, async (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    const file = load().get(name);
    if (name.startsWith(HASHED) && !file) throw new EmbossError(404, 'No such path');
    if (!file || name === 'index.html') return sendPage(reply);
    return sendFile(
      request,
      reply,
      file,
      name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : undefined,
    );
  });
}

function readFiles(directory: string): Map<string, StaticFile> {
  if (!existsSync(directory)) return new Map();
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return new Map(names.map((path) => [relative(directory, path).split(sep).join('/'), readFile(path)]));
}

const readFile = (path: string): StaticFile =>
  staticFile(readFileSync(path), TYPES[extname(path)] ?? 'application/octet-stream');
