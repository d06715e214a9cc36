import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings, describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';

const GUIDE = '/docs/guides/operate';

/** A guide allows no script at all, the test's own included: here its sandbox does. The page itself still has none. */
async function watchGuides(page: Page): Promise<void> {
  await page.route(/\/docs\/guides/, async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    const policy = headers['content-security-policy']?.replace(/^sandbox;/, 'sandbox allow-scripts;') ?? '';
    await route.fulfill({ response, headers: { ...headers, 'content-security-policy': policy } });
  });
}

describeInBrowser('the guides', (browser) => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await startConsoleServer();
  });
  afterAll(() => server?.close());

  test('are linked from the console, and link to the API reference and back', async () => {
    const page = await server.signIn(browser, 'viewer');
    await watchGuides(page);
    await page.goto(server.at('/'));
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' }).click();
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
    const list = page.getByRole('navigation', { name: 'Pages' });
    await list.getByRole('link', { name: 'Operate' }).click();
    await page.getByRole('heading', { name: 'Operate', level: 1 }).waitFor();
    await list.getByRole('link', { name: 'Limits', exact: true }).click();
    expect(new URL(page.url()).hash).toBe('#limits');
    browser.expectComplaint(/content policy: script-src forbids eval/);
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByText('/api/v1/merchant/cards/').first().waitFor();
    await page.getByRole('link', { name: 'Guides' }).click();
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Console' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  test.each([
    ['light', 1440, GUIDE],
    ['dark', 1440, '/docs/guides/errors'],
    ['light', 320, GUIDE],
    ['dark', 320, '/docs/guides/none'],
  ])('are accessible: %s, %i px wide, %s', async (scheme, width, path) => {
    if (path.endsWith('none')) browser.expectComplaint(/404/);
    const page = await browser.open({ baseURL: server.url, dark: scheme === 'dark', width });
    await watchGuides(page);
    await page.goto(path);
    expect(await accessibilityFindings(page)).toEqual([]);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(width);
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(scheme === 'dark' ? 'rgb(14, 17, 22)' : 'rgb(245, 246, 248)');
  });
});
