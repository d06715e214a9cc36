import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';
import { type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';

type Click = (target: Locator) => Promise<void>;

/** What support does all day: the most clicks that each task may take from its page on. Typing is not counted. */
describeInBrowser('the tasks of a support team', (browser) => {
  let server: ConsoleServer;
  let receiver: Receiver;
  let card: { id: string; lastFour: string };
  let isReceiverWell = false;

  beforeAll(async () => {
    server = await startConsoleServer();
    receiver = await startReceiver((_, response) => response.writeHead(isReceiverWell ? 200 : 500).end());
    // A report is available two days after its day.
    await server.call('POST', 'sandbox/clock/', { advance_seconds: 3 * 86_400 });
    card = await server.addCard({ spendLimit: 500 });
    await server.call('PUT', `merchant/cards/${card.id}/spend-controls/`, { dailyLimit: 50 });
    await server.call('POST', 'merchant/webhook-endpoints/', { url: receiver.url, events: ['card'] });
  });
  afterAll(async () => {
    await receiver?.close();
    await server?.close();
  });

  const tasks: Array<[name: string, most: number, work: (page: Page, click: Click) => Promise<void>]> = [];
  const task = (...given: (typeof tasks)[number]) => tasks.push(given);
  const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
  const dialogOf = (page: Page) => page.getByRole('dialog');

  /** Without loading the console again. */
  const open = (page: Page, path: string) =>
    page.evaluate(`history.pushState(null, '', ${JSON.stringify(server.at(path))})`);

  test('each task takes at most its number of clicks', async () => {
    const page = await server.signIn(browser, 'admin');
    await page.goto(server.at('/'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const [name, most, work] of tasks) {
      let clicks = 0;
      await work(page, async (target) => {
        clicks++;
        await target.click();
      });
      expect(clicks, name).toBeLessThanOrEqual(most);
    }
  });

  task('why a purchase was declined, after the search', 0, async (page) => {
    await server.swipe(card.id, '60.00', { merchant: { name: 'Corner Grocer', mcc: '5411' } });
    await page.keyboard.press('/');
    await page.keyboard.type(card.lastFour);
    await page.getByRole('option').and(page.locator('[data-combobox-selected]')).waitFor();
    await page.keyboard.press('Enter');
    const numbers = page.locator('dl', { hasText: 'This purchase' });
    expect(await numbers.innerText()).toMatch(
      /Daily limit\s+€50\.00\s+Spent\s+€0\.00\s+This purchase\s+€60\.00/,
    );
  });

  task('raise a limit', 3, async (page, click) => {
    await open(page, `/cards/${card.id}`);
    await click(page.getByRole('tab', { name: 'Controls' }));
    await click(button(page, 'Change controls'));
    await dialogOf(page).getByLabel('Daily limit').fill('');
    // Key by key: "400." and "400.0" are no numbers yet.
    await dialogOf(page).getByLabel('Daily limit').pressSequentially('400.05');
    await click(button(dialogOf(page), 'Change controls'));
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByText('€400.05').waitFor();
    const { spendControls } = await server.call('GET', `merchant/cards/${card.id}/`);
    expect(spendControls.dailyLimit).toBe(400.05);
  });

  task('simulate a purchase', 3, async (page, click) => {
    await open(page, `/cards/${card.id}`);
    await click(page.getByRole('link', { name: 'Simulate' }));
    await click(page.getByRole('button', { name: /^Over balance/ }));
    await click(button(page, 'Simulate purchase'));
    await page.getByRole('article', { name: 'Receipt' }).getByText('Declined').first().waitFor();
  });

  task('find a transaction by the amount that was taken', 2, async (page, click) => {
    await server.swipe(card.id, '37.21', { merchant: { name: 'Night Market', mcc: '5814' } });
    await open(page, '/transactions');
    const filters = page.getByRole('search', { name: 'Filters' });
    await filters.getByLabel('Minimum, EUR').fill('37.21');
    await filters.getByLabel('Maximum, EUR').fill('37.21');
    await filters.getByLabel('Maximum, EUR').press('Enter');
    await click(page.getByRole('link', { name: 'Night Market' }));
    await page.getByRole('heading', { name: 'Purchase at Night Market' }).waitFor();
  });

  task('freeze a card', 2, async (page, click) => {
    await open(page, `/cards/${card.id}`);
    await click(button(page, 'Freeze'));
    await click(button(dialogOf(page), 'Freeze card'));
    await page.getByText('This card is frozen').waitFor();
  });

  task('resend everything that failed', 2, async (page, click) => {
    await open(page, '/webhooks');
    await page.getByText('Failing: response 500').waitFor();
    isReceiverWell = true;
    await click(button(page, 'Resend undelivered'));
    await click(button(dialogOf(page), 'Resend undelivered'));
    await page.getByText(/^Resending \d+ deliver/).waitFor();
  });

  task('reissue a card and ship it', 3, async (page, click) => {
    const plastic = await server.addCard({ cardType: 'physical' });
    await open(page, `/cards/${plastic.id}`);
    await click(button(page, 'Reissue'));
    const dialog = dialogOf(page);
    await click(dialog.getByRole('radio', { name: 'New number, new expiry date' }));
    await dialog.getByLabel('Street and number').fill('12 St James Square');
    await dialog.getByLabel('Postal code').fill('SW1Y 4JH');
    await dialog.getByLabel('City').fill('London');
    const country = dialog.getByRole('combobox', { name: 'Country' });
    await country.fill('United Kingdom');
    await page.getByRole('option', { name: 'United Kingdom', exact: true }).waitFor();
    await country.press('ArrowDown');
    await country.press('Enter');
    await click(button(dialog, 'Reissue card'));
    await dialog.waitFor({ state: 'detached' });
    expect((await server.call('GET', `merchant/cards/${plastic.id}/`)).lastFour).not.toBe(plastic.lastFour);
  });

  task('block a card and issue a replacement', 5, async (page, click) => {
    const stolen = await server.addCard();
    await open(page, `/cards/${stolen.id}`);
    await click(button(page, 'Block'));
    await click(dialogOf(page).getByRole('radio', { name: 'Stolen' }));
    await click(button(dialogOf(page), 'Block card permanently'));
    await click(button(dialogOf(page), 'Issue replacement'));
    await page.getByText('Replaces', { exact: true }).waitFor();
    await page.getByRole('link', { name: stolen.id }).click();
    await page.getByText('Another card was issued in its place.').waitFor();
    expect(await button(page, 'Issue replacement').count()).toBe(0);
  });

  task('rotate an API key', 4, async (page, click) => {
    await open(page, '/keys');
    await click(page.getByRole('row', { name: /network/i }).getByRole('button', { name: /^Rotate/ }));
    const dialog = dialogOf(page);
    await click(dialog.getByRole('radio', { name: '1 hour' }));
    await click(button(dialog, 'Create new key'));
    await click(button(dialog, 'I have saved it'));
    await dialog.waitFor({ state: 'detached' });
  });

  task('the settlement file', 3, async (page, click) => {
    await open(page, '/reports');
    await click(page.getByRole('radio', { name: /^Network settlement/ }));
    await click(button(page, 'Request report'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      click(page.getByRole('button', { name: 'Download CSV' })),
    ]);
    expect(download.suggestedFilename()).toMatch(/^emboss-settlement-/);
  });
});
