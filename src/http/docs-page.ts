import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { App } from './server.ts';
import { AnyQuery } from './validation.ts';

const require = createRequire(import.meta.url);

const PAGE = '/docs';
const SCRIPT = `${PAGE}/js/scalar.js`;

/**
 * The page has an opaque origin: without `allow-same-origin` its scripts see no cookies, no storage and no other page of
 * this host, so a fault in them cannot reach an operator's session. Scripts come from this server, inline ones by their
 * hashes; the page's library writes styles as it runs.
 */
const policyFor = (...inline: string[]): string =>
  [
    'sandbox allow-scripts allow-forms allow-modals allow-downloads',
    "default-src 'none'",
    ["script-src 'self'", ...inline.map(hashOf)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page's library needs storage, which an opaque origin lacks. This replacement lasts as long as the page. */
const STORAGE = `
for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map();
  Object.defineProperty(window, name, { value: {
    get length() { return kept.size; },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
  } });
}
`;

/** Examples are shown for curl alone: the SDK has its own guide. */
const OTHER_CLIENTS = {
  ...Object.fromEntries(
    [
      ...['c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'js', 'kotlin', 'node', 'objc'],
      ...['ocaml', 'php', 'powershell', 'python', 'r', 'ruby', 'rust', 'swift'],
    ].map((target) => [target, true]),
  ),
  shell: ['httpie', 'wget'],
};

/** Links of the introduction would open new windows, which the sandbox of the page forbids. */
const LINKS = `
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="/docs/"], a[href^="' + location.protocol + '//' + location.host + '/docs/"]');
  if (!link || link.closest('.emboss-header')) return;
  event.preventDefault();
  event.stopPropagation();
  location.href = link.href;
}, true);
`;

const START = `Scalar.createApiReference('#reference', ${JSON.stringify({
  url: '/openapi.json',
  // The content policy allows calls to this server only.
  servers: [{ url: '/' }],
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'merchantKey' },
  hiddenClients: OTHER_CLIENTS,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})})`;

/** The header with the links. */
const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Emboss API reference</title>
<link rel="icon" href="data:,">
<script>${STORAGE}</script>
<script>${LINKS}</script>
</head>
<body>
<style>
:root { --scalar-custom-header-height: 41px; }
.emboss-header { position: sticky; top: 0; z-index: 10; display: flex; gap: 20px; height: 41px; padding: 0 16px; align-items: center;
  font: 14px system-ui, sans-serif; background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color); }
.emboss-header a { color: var(--scalar-color-2); text-decoration: none; }
.emboss-header a:first-child { margin-right: auto; color: var(--scalar-color-1); font-weight: 600; }
.emboss-header a:hover { text-decoration: underline; }
/* There is one client to choose, and the page is ours. */
.scalar-reference-intro-clients, a[href*="scalar.com"] { display: none !important; }
</style>
<nav class="emboss-header" aria-label="Emboss">
<a href="/docs">Emboss</a>
<a href="/docs/guides">Guides</a>
<a href="/console/">Console</a>
</nav>
<div id="reference"></div>
<script src="${SCRIPT}"></script>
<script>${START}</script>
</body>
</html>
`;
const POLICY = policyFor(STORAGE, LINKS, START);

/** The headers that the page may send to the API and read from its answers. */
const CALLS = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': 'content-type, idempotency-key, x-network-key, x-payments-api-key',
  'access-control-max-age': '600',
};

/**
 * Allows the page, whose origin is `null`, to call the API. Cookies grant nothing there: every call needs a key. Call this
 * before the routes are added.
 */
export function admitDocsPage(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.origin !== 'null' || !request.url.startsWith('/api/v1/')) return done();
    reply.headers({
      'access-control-allow-origin': 'null',
      'access-control-expose-headers': 'idempotent-replayed, retry-after, x-request-id',
      vary: 'origin',
    });
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      return reply.headers(CALLS).code(204).send();
    done();
  });
}

export function serveDocumentation(app: App): void {
  let text: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } as never }, async (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    // The document is public.
    reply.header('access-control-allow-origin', '*');
    return reply.type('application/json; charset=utf-8').send(text);
  });
  app.get(PAGE, { schema: { hide: true, querystring: AnyQuery } as never }, async (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(HTML),
  );
  let script: Buffer | undefined;
  app.get(SCRIPT, { schema: { hide: true, querystring: AnyQuery } as never }, async (_request, reply) => {
    script ??= await readFile(
      join(dirname(require.resolve('@scalar/fastify-api-reference')), 'js/standalone.js'),
    );
    // The page has an opaque origin, so its own script is cross-origin.
    reply.header('cross-origin-resource-policy', 'cross-origin');
    return reply.type('text/javascript; charset=utf-8').send(script);
  });
}
