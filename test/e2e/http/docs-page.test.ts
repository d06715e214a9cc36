import { beforeAll, expect, test } from 'vitest';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
let html: string;
let pageUrl: string;
let policy: string;

beforeAll(async () => {
  const response = await fetch(`${app.url}/docs`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/html');
  pageUrl = response.url;
  policy = response.headers.get('content-security-policy') ?? '';
  html = await response.text();
});

/** What a browser would fetch by itself, as opposed to a link that a person may follow. */
function resources(text: string): string[] {
  const attributes = text.matchAll(
    /<(?:script|link|img|iframe|source|object)\b[^>]*?\s(?:src|href|data)=["']([^"']+)/gi,
  );
  const styles = text.matchAll(/(?:@import\s+|url\()\s*["']?([^"')\s]+)/gi);
  return [...attributes, ...styles].map((match) => match[1] as string);
}

test('the page loads everything from this server', async () => {
  const loaded = resources(html);
  expect(loaded.length).toBeGreaterThan(0);
  // What the page brings along needs no address.
  const fetched = loaded.filter((address) => !address.startsWith('data:'));
  for (const address of [...fetched, '/openapi.json']) {
    const url = new URL(address, pageUrl);
    expect(url.origin).toBe(app.url);
    const response = await fetch(url);
    expect({ address, status: response.status }).toEqual({ address, status: 200 });
  }
});

test('its policy allows no requests to other hosts', () => {
  const directives = new Map(
    policy.split(';').map((part) => {
      const [name = '', ...sources] = part.trim().split(/\s+/);
      return [name, sources];
    }),
  );
  expect(directives.get('default-src')).toEqual(["'none'"]);
  expect(directives.get('connect-src')).toEqual(["'self'"]);
  directives.delete('sandbox');
  expect(directives.get('script-src')).not.toContain("'unsafe-inline'");
  const ours = /^('none'|'self'|'unsafe-inline'|data:|blob:|'sha256-[\w+/=]+')$/;
  expect([...directives.values()].flat().filter((source) => !ours.test(source))).toEqual([]);
});

test('its settings switch off external fonts, telemetry and services', () => {
  expect(html).toMatch(/"withDefaultFonts":\s*false/);
  expect(html).toMatch(/"telemetry":\s*false/);
  expect(html).not.toMatch(/"(?:proxyUrl|cdn)"/);
});
