import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { startConsoleServer } from '../support/console-server.ts';
import { endAll } from '../support/server-process.ts';

describeInBrowser('the API reference', (browser) => {
  let baseURL: string;

  beforeAll(async () => {
    baseURL = (await startConsoleServer()).url;
  });
  afterAll(endAll);

  test('shows the operations and asks nobody but us', async () => {
    // The page's library tries what the policy forbids, and does without.
    browser.expectComplaint(/content policy: script-src forbids eval/);
    browser.expectComplaint(/404 .*favicon\.ico/);
    const page = await browser.open({ baseURL });
    await page.goto('/docs');
    await page.getByRole('heading', { name: 'Emboss' }).first().waitFor();
    await page.getByText('/api/v1/merchant/cards/').first().waitFor();
    expect(await page.title()).toContain('Emboss');
  });
});
