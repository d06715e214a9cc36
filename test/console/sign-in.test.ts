import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings, describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';
import { startOpenIdProvider, type TestProvider } from '../support/console/openid-provider.ts';
import { freePort } from '../support/server/free-port.ts';

describeInBrowser('signing in', (browser) => {
  let server: ConsoleServer;

  let provider: TestProvider;

  beforeAll(async () => {
    const port = await freePort();
    provider = await startOpenIdProvider([`http://127.0.0.1:${port}/console/api/session/openid/callback/`]);
    const grants = new Map([['admins', { role: 'admin' as const, programId: null }]]);
    server = await startConsoleServer({ port, openId: provider.client({ grants }) });
  });
  afterAll(() => Promise.all([server?.close(), provider?.close()]));

  async function tryPassword(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  test('a wrong password shows an error; the correct one opens the requested page; signing out ends the session', async () => {
    browser.expectComplaint(/status of 401/);
    const { email, password, name } = await server.addOperator('support', 'Sina Berg');
    const page = await browser.open({ baseURL: server.url });
    await page.goto(server.at('/transactions?status=DECLINED'));
    await page.getByRole('heading', { name: 'Sign in to Emboss' }).waitFor();

    await tryPassword(page, email, 'not the password');
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong').waitFor();

    await tryPassword(page, email, password);
    await page.getByRole('heading', { name: 'Transactions' }).waitFor();
    expect(page.url()).toBe(server.url + server.at('/transactions?status=DECLINED'));
    const cookies = await page.context().cookies();
    const paths = cookies.map(({ name, path }) => `${name} ${path}`).sort();
    expect(paths).toEqual(['emboss_device /console', 'emboss_session /console/api']);
    expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Strict')).toBe(true);

    await page.getByRole('button', { name }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Emboss' }).waitFor();
    await page.goto(server.at('/cards'));
    await page.getByRole('heading', { name: 'Sign in to Emboss' }).waitFor();
  });

  test('a temporary password is changed first; then a second factor is set up, used and removed', async () => {
    browser.expectComplaint(/status of 40[01]/);
    const { email, password, name } = await server.addOperator('admin', 'Petra Given', true);
    const page = await browser.open({ baseURL: server.url });
    const own = 'chosen by 1 Petra';
    await page.goto(server.at('/cards'));
    await tryPassword(page, email, password);
    await page.getByText('Change your password to continue').waitFor();
    await page.goto(server.at('/cards'));
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel('Current password').fill(password);
    for (const chosen of [password, own]) {
      await page.getByLabel('New password', { exact: true }).fill(chosen);
      await page.getByLabel('Confirm new password').fill(chosen);
      await page.getByRole('button', { name: 'Change password' }).click();
      if (chosen === password)
        await page.getByRole('alert').getByText('must not be one of the last four').waitFor();
    }

    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    await page.getByLabel('Your password').fill(own);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const secret = (await page.getByText(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '';
    const code = new TOTP({ secret: secret.replaceAll(' ', '') }).generate();
    await page.getByLabel('Code from the app').fill(code);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Save these recovery codes now').waitFor();
    const codes = await page
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allTextContents();
    expect(codes).toHaveLength(10);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('10 recovery codes left').waitFor();
    await page.getByRole('button', { name: 'Back to the console' }).click();
    await page.getByRole('heading', { name: 'Cards' }).waitFor();

    await page.getByRole('button', { name }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await tryPassword(page, email, own);
    const field = page.getByLabel('Code', { exact: true });
    await field.fill(code);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('The code is wrong or was already used').waitFor();
    await field.fill(codes[0] as string);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name }).click();
    await page.getByRole('menuitem', { name: 'Account and password' }).click();
    await page.getByText('9 recovery codes left').waitFor();
    await page.getByRole('button', { name: 'Remove second factor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(own);
    await dialog.getByLabel('Code', { exact: true }).fill(codes[1] as string);
    await dialog.getByRole('button', { name: 'Remove second factor' }).click();
    await page.getByRole('button', { name: 'Set up a second factor' }).waitFor();
  });

  test('after repeated failures even the correct password is refused, and the page shows for how long', async () => {
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
    await page.getByRole('alert').getByText('try again in 30 minutes').waitFor();
    expect(page.url()).toContain('/sign-in');
  });

  test('a person signs in with OpenID, is told why not, and confirms an action in a window of the provider', async () => {
    browser.expectComplaint(/status of 401/);
    const page = await browser.open({ baseURL: server.url, alsoAt: [provider.issuer] });
    const ada = { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' };
    provider.people.set('ada', ada);
    await page.goto(server.at('/people'));
    await page.getByRole('button', { name: 'Sign in with Example' }).click();
    await page.getByRole('alert').getByText('You have no role in Emboss').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    provider.people.set('ada', { ...ada, roles: ['admins'] });
    await page.goto(server.at('/people'));
    await page.getByRole('button', { name: 'Sign in with Example' }).click();
    const row = page.getByRole('row', { name: /Ada Lovelace/ });
    await row.getByText('Example', { exact: true }).waitFor();
    expect(page.url()).toBe(server.url + server.at('/people'));

    await page.getByRole('button', { name: 'Add person' }).click();
    await page.getByLabel('E-mail address').fill('grace@example.com');
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    const create = page.getByRole('button', { name: 'Create invitation' });
    expect(await create.isDisabled()).toBe(true);
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Confirm with Example' }).click();
    const popup = await opened;
    if (!popup.isClosed()) await popup.waitForEvent('close');
    await page.getByRole('button', { name: 'Confirmed' }).waitFor();
    await create.click();
    await page.getByRole('dialog', { name: 'Invitation of Grace Hopper' }).waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.goto('/console/account');
    await page.getByText('You sign in with Example').waitFor();
    expect(await page.getByRole('button', { name: 'Set up a second factor' }).count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
  });
});
