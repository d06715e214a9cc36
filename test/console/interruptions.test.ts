import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings, describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';

const API = '**/console/api/**';

describeInBrowser('what interrupts an operator', (browser) => {
  let server: ConsoleServer;

  beforeAll(async () => {
    server = await startConsoleServer();
  });
  afterAll(() => server?.close());

  const waitForFocus = (page: Page, name: string) =>
    page.getByRole('button', { name }).and(page.locator(':focus')).waitFor();

  test('without a card the simulator explains how to create one', async () => {
    const page = await server.signIn(browser, 'admin');
    await page.goto(server.at('/simulator'));
    await page.getByText('No cards yet').waitFor();
    await page.getByText(`curl ${server.url}/api/v1/merchant/cards/`).waitFor();
  });

  test('an operator who is signed out during an action sees that it was not done', async () => {
    browser.expectComplaint(/status of 401/);
    const card = await server.addCard();
    const page = await server.signIn(browser, 'support');
    await page.goto(server.at(`/cards/${card.id}`));
    await page.getByRole('button', { name: 'Freeze' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.context().clearCookies();
    await dialog.getByRole('button', { name: 'Freeze' }).click();
    await page.getByRole('status').getByText('Your last action was not saved').waitFor();
    expect(page.url()).toContain('/sign-in');
  });

  test('a page shows that its server is unavailable, retries by itself, and removes the message when it is back', async () => {
    browser.expectComplaint(/ERR_FAILED/);
    const page = await server.signIn(browser, 'viewer', { context: undefined });
    await page.clock.install();
    const letTimePass = async (until: () => Promise<boolean>) => {
      while (!(await until())) await page.clock.fastForward(1_000);
    };
    await page.goto(server.at('/'));
    await page.getByText('Covers new authorizations').waitFor();
    await page.route(API, (route) => route.abort());
    const note = page.getByRole('status').getByText(/No connection since \d\d:\d\d/);
    await letTimePass(() => note.isVisible());
    await page.getByText(/the data shown is from \d\d:\d\d/).waitFor();
    // A page that is opened meanwhile cannot be read, and is once it can.
    await page.getByRole('link', { name: 'Designs' }).click();
    const silent = page.getByText('No response from the server');
    await letTimePass(() => silent.isVisible());
    await page.unroute(API);
    await letTimePass(async () => (await note.isHidden()) && (await silent.isHidden()));
  });

  test('a page that was never opened waits for a stopped server and opens when it is back', async () => {
    browser.expectComplaint(/ERR_CONNECTION_REFUSED/);
    browser.expectComplaint(/A part of the console was not loaded/);
    const page = await server.signIn(browser, 'viewer', { context: undefined });
    await page.goto(server.at('/'));
    await page.getByText('Covers new authorizations').waitFor();
    const start = await server.stop();
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('alert').getByText('No response from the server').waitFor();
    expect(await page.getByText('upgraded').count()).toBe(0);
    await start();
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  });

  test('a page whose files are gone says that the console was upgraded, and reloads once', async () => {
    browser.expectComplaint(/status of 404/);
    browser.expectComplaint(/A part of the console was not loaded/);
    const page = await server.signIn(browser, 'viewer', { context: undefined });
    await page.goto(server.at('/'));
    await page.getByText('Covers new authorizations').waitFor();
    let refused = 0;
    await page.route('**/assets/reports-page-*.js', (route) => {
      refused += 1;
      return route.fulfill({ status: 404 });
    });
    const reloaded = page.waitForEvent('load');
    await page.getByRole('link', { name: 'Reports' }).click();
    await reloaded;
    await page.getByText('The console was upgraded').waitFor();
    expect(refused).toBeGreaterThan(1);
    await page.unroute('**/assets/reports-page-*.js');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  });

  test('invalid values in an address are ignored; valid ones are applied', async () => {
    const page = await server.signIn(browser, 'viewer');
    await page.goto(server.at('/?window=90d'));
    await page.getByText('Covers new authorizations').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.goto(server.at('/?window=7d'));
    await page.getByText('Covers new authorizations').waitFor();
    expect(await page.getByRole('radio', { name: '7 days' }).isChecked()).toBe(true);
    expect(new URL(page.url()).search).toBe('?window=7d');
  });

  test('a bar of the overview opens its purchases, with the keyboard and the mouse', async () => {
    const card = await server.addCard({ spendLimit: 50 });
    for (const amount of ['12.00', '51.00']) await server.swipe(card.id, amount);
    const page = await server.signIn(browser, 'viewer');
    const rows = page.getByRole('table', { name: 'Transactions' }).getByRole('row');
    const opens = async (open: () => Promise<void>, expected: string[]) => {
      await server.show(page, '/');
      await page
        .getByRole('img', { name: /days before/ })
        .or(page.getByText('Covers new authorizations'))
        .first()
        .waitFor();
      await open();
      await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
      await expect
        .poll(async () => {
          const texts = await rows.allTextContents();
          return ['€12.00', '€51.00'].filter((amount) => texts.some((text) => text.includes(amount)));
        })
        .toEqual(expected);
    };
    const chart = page.getByRole('slider', { name: /^Approvals/ });
    const press = (key: string) => async () => {
      await chart.press('End');
      await chart.press(key);
    };
    await opens(press('Enter'), ['€12.00', '€51.00']);
    await opens(press('Shift+Enter'), ['€51.00']);
    await opens(() => chart.locator('[data-series=approved]').last().click(), ['€12.00']);
  });

  test('after a dialog the focus returns, and a dialog adds no second banner landmark', async () => {
    const card = await server.addCard();
    const page = await server.signIn(browser, 'support');
    await page.goto(server.at(`/cards/${card.id}`));
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await page.getByRole('banner').count()).toBeLessThan(2);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await waitForFocus(page, 'Freeze');
  });
});
