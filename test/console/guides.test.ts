import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings, brokenWords, describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';

/** A guide allows no script at all, the test's own included: here its sandbox does. The page itself still has none. */
async function watchGuides(page: Page): Promise<void> {
  await page.route(/\/docs\/guides/, async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    const policy = headers['content-security-policy']?.replace(/^sandbox;/, 'sandbox allow-scripts;') ?? '';
    await route.fulfill({ response, headers: { ...headers, 'content-security-policy': policy } });
  });
  // A page that was filled in comes from nowhere, and may not load from this machine.
  await page.route('**/docs/inter.woff2', async (route) => route.fulfill({ response: await route.fetch() }));
}

describeInBrowser('the guides', (browser) => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await startConsoleServer();
  });
  afterAll(() => server?.close());

  test('are linked from the console and back', async () => {
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
    await page.getByRole('link', { name: 'Console' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  test('are accessible: light and dark, 1440 and 320 px wide, with whole words', async () => {
    browser.expectComplaint(/404/);
    const page = await browser.open({ baseURL: server.url });
    await watchGuides(page);
    const looks: Array<[path: string, scheme: 'light' | 'dark', widths: number[]]> = [
      ['/docs/guides/operate', 'light', [1440, 320]],
      ['/docs/guides/errors', 'dark', [1440]],
      ['/docs/guides/none', 'dark', [320]],
    ];
    for (const [path, scheme, widths] of looks) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(path);
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(background).toBe(scheme === 'dark' ? 'rgb(14, 17, 22)' : 'rgb(245, 246, 248)');
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect([path, width, await accessibilityFindings(page)]).toEqual([path, width, []]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        // On a phone, names in tables are broken so that tables fit.
        if (width === 1440) expect(await brokenWords(page)).toEqual([]);
      }
    }
  });
});
