import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console-server.ts';
import { endAll } from '../support/server-process.ts';

describeInBrowser('signing in', (browser) => {
  let server: ConsoleServer;

  beforeAll(async () => {
    server = await startConsoleServer();
  });
  afterAll(endAll);

  async function tryPassword(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  test('a wrong password is told; the right one opens the page that was asked for; signing out closes it', async () => {
    browser.expectComplaint(/status of 401/);
    const { email, password, name } = await server.addOperator('support', 'Sina Berg');
    const page = await browser.open({ baseURL: server.url });
    await page.goto(server.at('/transactions?status=DECLINED'));
    await page.getByRole('heading', { name: 'Sign in to Emboss' }).waitFor();

    await tryPassword(page, email, 'not the password');
    await page.getByRole('alert').getByText('The e-mail or the password is wrong').waitFor();

    await tryPassword(page, email, password);
    await page.getByRole('heading', { name: 'Transactions' }).waitFor();
    expect(page.url()).toBe(server.url + server.at('/transactions?status=DECLINED'));
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/console/api' }]);

    await page.getByRole('button', { name }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Emboss' }).waitFor();
    await page.goto(server.at('/cards'));
    await page.getByRole('heading', { name: 'Sign in to Emboss' }).waitFor();
  });

  test('after repeated failures even the right password is refused, and the page says for how long', async () => {
    browser.expectComplaint(/status of 401/);
    browser.expectComplaint(/status of 429/);
    const { email, password } = await server.addOperator('viewer', 'Lea Lock');
    const page = await browser.open({ baseURL: server.url });
    await page.goto('/console/');
    for (let attempt = 1; attempt <= 5; attempt++) {
      const answered = page.waitForResponse('**/session/');
      await tryPassword(page, email, `wrong ${attempt}`);
      expect((await answered).status()).toBe(401);
    }
    await tryPassword(page, email, password);
    await page.getByRole('alert').getByText('try again in 15 minutes').waitFor();
    expect(page.url()).toContain('/sign-in');
  });
});
