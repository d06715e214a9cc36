import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DARK, LIGHT } from './brand.gen.ts';
import { FONT, ICON, LOGO_SVG, TOKENS } from './brand.ts';
import { withoutNullSchemas } from './null-schemas.ts';
import type { App } from './server.ts';
import { AnyQuery } from './validation.ts';

const require = createRequire(import.meta.url);

const PAGE = '/docs';
const SCRIPT = `${PAGE}/js/scalar.js`;
const DOCUMENT = `${PAGE}/openapi.json`;

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
  url: DOCUMENT,
  // The content policy allows calls to this server only.
  servers: [{ url: '/' }],
  // The header has a link to the document as it is.
  documentDownloadType: 'none',
  theme: 'none',
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
${ICON}
<script>${STORAGE}</script>
<script>${LINKS}</script>
</head>
<body>
<style>${TOKENS}${FONT}
/* The library has a switch for light and dark, which wins over the system's choice. */
body.light-mode { ${LIGHT} }
body.dark-mode { ${DARK} }
:root { --scalar-custom-header-height: 49px; }
body, body.light-mode, body.dark-mode {
  --scalar-font: var(--font); --scalar-font-code: var(--mono);
  --scalar-background-1: var(--surface); --scalar-background-2: var(--surface-sunken); --scalar-background-3: var(--quiet-soft);
  --scalar-background-accent: var(--accent-soft); --scalar-border-color: var(--line);
  --scalar-color-1: var(--text); --scalar-color-2: var(--muted); --scalar-color-3: var(--muted); --scalar-color-accent: var(--accent);
  --scalar-color-green: var(--good); --scalar-color-red: var(--bad); --scalar-color-orange: var(--warn); --scalar-color-yellow: var(--warn);
  --scalar-color-blue: var(--accent); --scalar-button-1: var(--accent); --scalar-button-1-color: var(--surface); --scalar-button-1-hover: var(--accent);
  --scalar-sidebar-background-1: var(--surface); --scalar-sidebar-border-color: var(--line); --scalar-sidebar-color-1: var(--text);
  --scalar-sidebar-color-2: var(--muted); --scalar-sidebar-item-hover-background: var(--hover);
  --scalar-sidebar-item-active-background: var(--accent-soft); --scalar-sidebar-color-active: var(--accent);
  --scalar-sidebar-search-background: var(--surface-sunken); --scalar-sidebar-search-border-color: var(--line);
}
body { margin: 0; background: var(--surface); }
.emboss-header { position: sticky; top: 0; z-index: 10; display: flex; gap: 20px; height: 49px; padding: 0 16px; box-sizing: border-box; align-items: center;
  font: 14px var(--font); background: var(--surface); border-bottom: 1px solid var(--line); }
.emboss-header a { color: var(--muted); text-decoration: none; }
.emboss-header a:first-child { display: flex; gap: 10px; align-items: center; margin-right: auto; color: var(--text); font-weight: 600; }
.emboss-header a:hover { color: var(--text); text-decoration: underline; }
/* There is one client to choose, and the page is ours. */
.scalar-reference-intro-clients, a[href*="scalar.com"] { display: none !important; }
</style>
<nav class="emboss-header" aria-label="Emboss">
<a href="/docs">${LOGO_SVG} Emboss API</a>
<a href="/openapi.json" download>OpenAPI</a>
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

/** The library's own examples of a key look like one that works. */
async function readScript(): Promise<Buffer> {
  const path = join(dirname(require.resolve('@scalar/fastify-api-reference')), 'js/standalone.js');
  const text = await readFile(path, 'utf8');
  return Buffer.from(
    text
      .replaceAll('QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT', 'Your key')
      .replaceAll('YOUR_SECRET_TOKEN', 'YOUR_KEY'),
  );
}

export function serveDocumentation(app: App): void {
  let text: string | undefined;
  let pageText: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } as never }, async (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    // The document is public.
    reply.header('access-control-allow-origin', '*');
    return reply.type('application/json; charset=utf-8').send(text);
  });
  app.get(DOCUMENT, { schema: { hide: true, querystring: AnyQuery } as never }, async (_request, reply) => {
    pageText ??= JSON.stringify(withoutNullSchemas(app.swagger()));
    reply.header('access-control-allow-origin', '*');
    return reply.type('application/json; charset=utf-8').send(pageText);
  });
  app.get(PAGE, { schema: { hide: true, querystring: AnyQuery } as never }, async (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(HTML),
  );
  let script: Buffer | undefined;
  app.get(SCRIPT, { schema: { hide: true, querystring: AnyQuery } as never }, async (_request, reply) => {
    script ??= await readScript();
    // The page has an opaque origin, so its own script is cross-origin.
    reply.header('cross-origin-resource-policy', 'cross-origin');
    return reply.type('text/javascript; charset=utf-8').send(script);
  });
}
