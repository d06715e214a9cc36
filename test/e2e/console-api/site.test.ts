import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONSOLE_DIST } from '../../support/scripts/built.ts';
import { appForTests } from '../../support/server/test-app.ts';
import { exchange } from '../../support/server/wire.ts';

const app = appForTests();

const get = (path: string, headers: Record<string, string> = {}) =>
  exchange(app.url, 'GET', path, { headers });

describe('the console’s pages', () => {
  test.each([
    '/console/',
    '/console/overview',
    '/console/a/b/c?d=e',
    '/console/index.html',
    '/console/cards/',
  ])('%s returns the document, with a strict policy and a nonce of its own', async (path) => {
    const [first, second] = [await get(path), await get(path)];
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(first.headers.get('cache-control')).toBe('no-store');
    const policy = first.headers.get('content-security-policy') as string;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']+';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
    expect(first.text).toContain(nonce);
    expect(first.text).not.toContain('__CSP_NONCE__');
    expect(second.text).not.toContain(nonce);
  });

  test('the address without its slash redirects', async () => {
    const answer = await fetch(`${app.url}/console`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '/console/']);
  });

  test('its files are cached permanently, compressed for the browser, and not modified', async () => {
    const { text } = await get('/console/');
    const [, script] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(text) ?? [];
    const answer = await fetch(app.url + script, { headers: { 'accept-encoding': 'br' } });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    const plain = await fetch(app.url + script, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const built = readFileSync(join(CONSOLE_DIST, (script as string).replace('/console/', '')), 'utf8');
    expect([await answer.text(), await plain.text()]).toEqual([built, built]);
    const etag = answer.headers.get('etag') as string;
    expect((await get(script as string, { 'if-none-match': etag })).status).toBe(304);
  });

  test.each([
    '/console/assets/none.js',
    '/console/assets/../../package.json',
    '/console/assets/%2e%2e/%2e%2e/package.json',
    '/console/api/nowhere/',
  ])('%s is not a page', async (path) => {
    const { status, text } = await get(path);
    expect([status, text.includes('"name"')]).toEqual([404, false]);
  });

  test.each(['/console/%2e%2e/%2e%2e/package.json', '/console/..%2f..%2fpackage.json'])(
    '%s returns no file of the machine',
    async (path) => {
      expect((await get(path)).text).not.toContain('"dependencies"');
    },
  );

  test('accepts only GET', async () => {
    const { status, headers } = await exchange(app.url, 'POST', '/console/overview');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
