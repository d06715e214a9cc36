import { createHash } from 'node:crypto';
import reference from '@scalar/fastify-api-reference';
import type { App } from './server.ts';

const PAGE = '/docs';

/**
 * The page has an opaque origin: without `allow-same-origin` its scripts see no cookies, no storage and no other page of
 * this host, so a fault in them cannot reach an operator's session. Scripts come from this server, inline ones by their
 * hashes; the page's library writes styles as it runs.
 */
const policyFor = (html: string): string =>
  [
    'sandbox allow-scripts allow-forms allow-modals allow-downloads',
    "default-src 'none'",
    ["script-src 'self'", ...inlineHashes(html)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const inlineHashes = (html: string): string[] =>
  [...html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)]
    .filter(([, text]) => text !== '')
    .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);

/** The page's library needs storage, which an opaque origin lacks. This replacement lasts as long as the page. */
const HEAD = `<head>
<link rel="icon" href="data:,">
<script>
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
</script>`;

/** The header with the links. Links in the text of the page open new windows, which its sandbox forbids. */
const BODY = `<body>
<style>
:root { --scalar-custom-header-height: 41px; }
.emboss-header { position: sticky; top: 0; z-index: 10; display: flex; gap: 20px; height: 41px; padding: 0 16px; align-items: center;
  font: 14px system-ui, sans-serif; background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color); }
.emboss-header a { color: var(--scalar-color-2); text-decoration: none; }
.emboss-header a:first-child { margin-right: auto; color: var(--scalar-color-1); font-weight: 600; }
.emboss-header a:hover { text-decoration: underline; }
</style>
<nav class="emboss-header" aria-label="Emboss">
<a href="/docs">Emboss API</a>
<a href="/docs/guides">Guides</a>
<a href="/console/">Console</a>
</nav>`;

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

export async function serveDocumentation(app: App): Promise<void> {
  let text: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } as never }, async (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    // The document is public.
    reply.header('access-control-allow-origin', '*');
    return reply.type('application/json; charset=utf-8').send(text);
  });
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply, payload) => {
      // The page has an opaque origin, so its own script is cross-origin.
      reply.header('cross-origin-resource-policy', 'cross-origin');
      if (!String(reply.getHeader('content-type')).startsWith('text/html')) return payload;
      const html = String(payload).replace('<head>', HEAD).replace('<body>', BODY);
      reply.header('content-security-policy', policyFor(html));
      return html;
    });
    await docs.register(reference, {
      routePrefix: PAGE,
      configuration: {
        url: '/openapi.json',
        // The content policy allows calls to this server only.
        servers: [{ url: '/' }],
        pageTitle: 'Emboss API',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
        authentication: { preferredSecurityScheme: 'merchantKey' },
      } as never,
    });
  });
}
