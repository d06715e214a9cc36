import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderPage } from '../../../src/http/guides/render.ts';
import { ROOT } from '../../support/scripts/sources.ts';
import { appForTests } from '../../support/server/test-app.ts';
import { exchange } from '../../support/server/wire.ts';

const GUIDES = '/docs/guides';

const app = appForTests();

const get = (path: string, headers: Record<string, string> = {}) =>
  exchange(app.url, 'GET', path, { headers });

const addressOf = (name: string): string =>
  `${GUIDES}/${name.replace(/(README)?\.md$/, '')}`.replace(/\/$/, '');
const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map(addressOf);

const linksOf = (html: string): string[] =>
  [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, to = '']) => to);

describe('guides', () => {
  test('every page of docs/ is served, and every link leads to a page and an anchor', async () => {
    expect(pages.length).toBeGreaterThan(28);
    const texts = new Map<string, string>();
    for (const address of pages) {
      const { status, headers, text } = await get(address);
      expect([address, status, headers.get('content-type')]).toEqual([
        address,
        200,
        'text/html; charset=utf-8',
      ]);
      texts.set(address, text);
    }
    const dead = [...texts].flatMap(([address, text]) =>
      linksOf(text)
        .filter((link) => !/^https?:/.test(link) && link !== '/docs' && link !== '/console/')
        .filter((link) => {
          const [path, anchor] = link.split('#');
          const target = texts.get(path || address);
          return target === undefined || (anchor && !target.includes(`id="${anchor}"`));
        })
        .map((link) => `${address}: ${link}`),
    );
    expect(dead).toEqual([]);
    expect(linksOf(texts.get(`${GUIDES}/cards`) ?? '')).toContain(`${GUIDES}/integrate#retrying-safely`);
  });

  test('every page outside docs/decisions/ is in the navigation of each page', async () => {
    const { text } = await get(`${GUIDES}/cards`);
    const listed = linksOf(text.slice(text.indexOf('<nav')));
    const expected = pages.filter((page) => page !== GUIDES && !page.startsWith(`${GUIDES}/decisions/`));
    expect(expected.filter((page) => !listed.includes(page))).toEqual([]);
    expect(text).toContain(`<a href="${GUIDES}/cards" aria-current="page">Cards</a>`);
  });

  test('links to other files of the repository are plain text', async () => {
    const { text } = await get(`${GUIDES}/sdk`);
    expect(text).toContain('openapi.json');
    expect(text).not.toContain('href="../../');
    expect(text).not.toMatch(/href="[^"]*\.(md|json|yml|yaml|service)/);
  });

  test.each([
    ['none', 404],
    ['none/', 404],
    ['..%2f..%2fpackage.json', 404],
    ['constructor', 404],
    ['operate.md', 200],
    ['operate/', 200],
    ['decisions/', 200],
  ])('%s: %i, a page under the same policy', async (name, status) => {
    const answer = await get(`${GUIDES}/${name}`);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('"dependencies"');
  });

  test('an unknown page is a 404 page with the navigation', async () => {
    const { text } = await get(`${GUIDES}/none`);
    expect(text).toContain('No such page');
    expect(linksOf(text)).toContain(`${GUIDES}/operate`);
  });

  test('the policy allows no script, no cookie and nothing from other hosts', async () => {
    for (const path of [`${GUIDES}/operate`, `${GUIDES}/none`]) {
      const { headers, text } = await get(path);
      expect(headers.get('content-security-policy')).toMatch(
        /^sandbox; default-src 'none'; style-src 'sha256-[^']+'; font-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      );
      expect(text).not.toMatch(/<script|<img|<iframe|\son\w+=|javascript:/);
    }
  });

  test('the font of the console is served to pages of any origin, and no page sends a referrer', async () => {
    // The second for a host that passes on the reveal page alone.
    for (const path of ['/docs/inter.woff2', '/reveal/inter.woff2']) {
      const { status, headers } = await get(path);
      expect([status, Object.fromEntries(headers)]).toEqual([
        200,
        expect.objectContaining({
          'content-type': 'font/woff2',
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
        }),
      ]);
    }
    for (const path of [GUIDES, '/docs', '/reveal/none/'])
      expect((await get(path)).headers.get('referrer-policy')).toBe('no-referrer');
    const reveal = await get('/reveal/none/');
    expect(reveal.headers.get('content-security-policy')).not.toContain('font-src');
    expect(reveal.text).not.toContain('url("/');
  });

  test('a page is cached, compressed, and sent again only after a change', async () => {
    const answer = await fetch(`${app.url}${GUIDES}/operate`, { headers: { 'accept-encoding': 'br' } });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
    });
    expect(await answer.text()).toContain('<h1 id="operate">Operate</h1>');
    const etag = answer.headers.get('etag') as string;
    expect((await get(`${GUIDES}/operate`, { 'if-none-match': etag })).status).toBe(304);
    const missing = await get(`${GUIDES}/none`);
    const again = await get(`${GUIDES}/none`, { 'if-none-match': missing.headers.get('etag') as string });
    expect(again.status).toBe(404);
  });

  test('are linked from the API reference', async () => {
    expect(linksOf((await get('/docs')).text)).toContain(GUIDES);
  });
});

describe('Markdown', () => {
  const render = (markdown: string) => renderPage(markdown, (to) => (to === 'a.md' ? '/a' : undefined)).html;

  test.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['a <b onclick="x">b</b>', '<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>'],
    ['[x](javascript:alert%281%29)', '<p>x</p>'],
    ['[x](a.md)', '<p><a href="/a">x</a></p>'],
    ['![x](https://a.example/x.png)', '<p>x</p>'],
    ['<!-- a note -->\n# T', '<h1 id="t">T</h1>'],
    ['```\n<b>\n```', '<pre tabindex="0"><code>&lt;b&gt;</code></pre>'],
  ])('%s', (markdown, html) => {
    expect(render(markdown).trim()).toBe(html);
  });
});

describe('/', () => {
  const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test.each(['GET', 'HEAD'])('redirects a browser to the console: %s', async (method) => {
    const { status, headers } = await fetch(`${app.url}/`, { method, headers: HTML, redirect: 'manual' });
    expect([status, headers.get('location'), headers.get('vary')]).toEqual([302, '/console/', 'accept']);
  });

  test('is an unknown path to other clients, and for other methods', async () => {
    for (const [method, headers] of [
      ['GET', {}],
      ['GET', { accept: '*/*' }],
      ['GET', { accept: 'application/json' }],
      ['POST', HTML],
    ] as const) {
      const { status, text } = await exchange(app.url, method, '/', { headers });
      expect([method, status, JSON.parse(text)]).toEqual([
        method,
        404,
        { code: 404, message: 'No such path', status: 'failed' },
      ]);
    }
  });
});
