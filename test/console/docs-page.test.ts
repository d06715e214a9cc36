import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

describeInBrowser('the API reference', (browser) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app?.close());

  test('shows the operations and asks nobody but us', async () => {
    // The page's library tries what the policy forbids, and does without.
    browser.expectComplaint(/content policy: script-src forbids eval/);
    const page = await browser.open({ baseURL: app.url });
    await page.goto('/docs');
    await page.getByRole('heading', { name: 'Emboss' }).first().waitFor();
    await page.getByText('/api/v1/merchant/cards/').first().waitFor();
    expect(await page.title()).toContain('Emboss');
  });
});
