import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';
import { PASSWORD } from '../support/console/operators.ts';
import { sql } from '../support/database/database.ts';
import { type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';

/** Found once: to look for a role in the whole page after every key takes longer than all the rest. */
type Found = NonNullable<Awaited<ReturnType<Locator['elementHandle']>>>;

/** What the focus is on: the target, another of its group (which arrows move in), or something else. */
type Focus = 'here' | 'menu' | 'group' | 'elsewhere' | 'gone';
const focusOf = (target: Found): Promise<Focus> =>
  target.evaluate((element): Focus => {
    if (!element.isConnected) return 'gone';
    const focused = element.ownerDocument.activeElement;
    if (focused === element) return 'here';
    if (element.closest('[role="menu"]')?.contains(focused)) return 'menu';
    const group = element.closest('[role="radiogroup"], [role="tablist"]');
    return group?.contains(focused) ? 'group' : 'elsewhere';
  });

const KEYS = { menu: 'ArrowDown', group: 'ArrowRight', elsewhere: 'Tab' };

async function focus(target: Locator): Promise<void> {
  const find = () => target.elementHandle() as Promise<Found>;
  let element = await find();
  for (let presses = 0; presses < 150; presses++) {
    const now = await focusOf(element);
    if (now === 'here') return;
    if (now === 'gone') element = await find();
    else await target.page().keyboard.press(KEYS[now]);
  }
  throw new Error(`The keyboard does not reach ${target}`);
}

/** Makes sure that a mouse could click it, then moves the focus there and presses it. */
async function press(target: Locator): Promise<void> {
  await target.click({ trial: true });
  await focus(target);
  const isRadio = (await target.getAttribute('type')) === 'radio';
  await target.page().keyboard.press(isRadio ? 'Space' : 'Enter');
}

/** Key by key: "400." is no number yet. */
async function write(target: Locator, text: string): Promise<void> {
  await focus(target);
  await target.page().keyboard.press('Control+a');
  await target.page().keyboard.type(text);
}

/** What support does all day: the most clicks that each task may take from its page on. Typing is not counted. */
describeInBrowser('the tasks of a support team', (browser) => {
  let server: ConsoleServer;
  let receiver: Receiver;
  let card: { id: string; lastFour: string };

  beforeAll(async () => {
    server = await startConsoleServer();
    receiver = await startReceiver((_, response) => response.writeHead(500).end('database is away'));
    // A report is available two days after its day.
    await server.call('POST', 'sandbox/clock/', { advance_seconds: 3 * 86_400 });
    const { id } = await server.call('POST', 'merchant/webhook-endpoints/', {
      url: receiver.url,
      eventTypes: ['card'],
    });
    await failSinceLastNight(id);
    const threshold = { secondPersonAbove: '500.00', password: PASSWORD };
    await server.callAs('admin', 'PUT', 'second-person/', threshold);
  });
  beforeEach(async () => {
    card = await server.addCard({ spendLimit: 500 });
    await server.call('PUT', `merchant/cards/${card.id}/spend-controls/`, { dailyLimit: 50 });
  });
  afterAll(async () => {
    await receiver?.close();
    await server?.close();
  });

  /** A worker looks only every minute: here it has looked. */
  async function failSinceLastNight(endpointId: string): Promise<void> {
    const database = server.env['DATABASE_URL'] as string;
    const since = `now() - interval '9 hours'`;
    await sql(
      database,
      `update webhook_endpoints set failing_since = ${since}, failed_at = now() where id = $1`,
      [endpointId],
    );
    await sql(
      database,
      `insert into notifications (program_id, id, kind, subject, details, opened_at)
       values ($1, gen_random_uuid(), 'webhook_endpoint', $2, $3, ${since}) on conflict do nothing`,
      [server.programId, endpointId, { host: new URL(receiver.url).host, status: 'ENABLED' }],
    );
  }

  const tasks: Array<
    [
      name: string,
      most: number,
      work: (page: Page, press: (target: Locator) => Promise<void>) => Promise<void>,
    ]
  > = [];
  const task = (...given: (typeof tasks)[number]) => tasks.push(given);
  const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
  const dialogOf = (page: Page) => page.getByRole('dialog');

  /** Without loading the console again. */
  const open = (page: Page, path: string) =>
    page.evaluate(`history.pushState(null, '', ${JSON.stringify(server.at(path))})`);

  let presses = 0;
  const counted = (target: Locator) => {
    presses++;
    return press(target);
  };
  test('each task takes at most its number of clicks, with the mouse or the keyboard alone', async () => {
    const page = await server.signIn(browser, 'admin');
    await page.goto(server.at('/'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const [name, most, work] of tasks) {
      presses = 0;
      await work(page, counted).catch(async (error) => {
        const shown = await page.getByRole('alert').allInnerTexts();
        throw new Error([name, ...shown].join('; '), { cause: error });
      });
      expect(presses, name).toBeLessThanOrEqual(most);
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

  task('raise a limit', 3, async (page, press) => {
    await open(page, `/cards/${card.id}`);
    await press(page.getByRole('tab', { name: 'Controls' }));
    await press(button(page, 'Change controls'));
    await write(dialogOf(page).getByLabel('Daily limit'), '400.05');
    await press(button(dialogOf(page), 'Change controls'));
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByText('€400.05').first().waitFor();
    const { spendControls } = await server.call('GET', `merchant/cards/${card.id}/`);
    expect(spendControls.dailyLimit).toBe(400.05);
  });

  task('note an order of a purchase', 3, async (page, press) => {
    const { transaction_id: id } = await server.swipe(card.id, '3.10');
    await server.call('PUT', `merchant/transactions/${id}/metadata/`, {
      metadata: { old: 'x', kept: '<b>1</b>' },
    });
    await open(page, `/transactions/${id}`);
    await press(button(page, 'Change metadata'));
    const dialog = dialogOf(page);
    await write(dialog.getByLabel('Key 2'), 'order_id');
    await write(dialog.getByLabel('Value 2'), 'A-1042');
    await press(button(dialog, 'Save metadata'));
    await dialog.waitFor({ state: 'detached' });
    const panel = page.getByRole('region', { name: 'Metadata', exact: true });
    expect(await panel.locator('dl').innerText()).toMatch(/^kept\s+<b>1<\/b>\s+order_id\s+A-1042$/);
    const { metadata } = await server.call('GET', `merchant/transactions/${id}/`);
    expect(metadata).toEqual({ kept: '<b>1</b>', order_id: 'A-1042' });
  });

  task('simulate a purchase', 3, async (page, press) => {
    await open(page, `/cards/${card.id}`);
    await press(page.getByRole('link', { name: 'Simulate' }));
    await press(page.getByRole('button', { name: /^Over balance/ }));
    await press(button(page, 'Simulate purchase'));
    await page.getByRole('article', { name: 'Receipt' }).getByText('Declined').first().waitFor();
  });

  task('find a transaction by the amount that was taken', 2, async (page, press) => {
    await server.swipe(card.id, '37.21', { merchant: { name: 'Night Market', mcc: '5814' } });
    await open(page, '/transactions');
    const filters = page.getByRole('search', { name: 'Filters' });
    await write(filters.getByLabel('Minimum, EUR'), '37.21');
    await write(filters.getByLabel('Maximum, EUR'), '37.21');
    await page.keyboard.press('Enter');
    await press(page.getByRole('link', { name: 'Night Market' }).first());
    await page.getByRole('heading', { name: 'Purchase at Night Market' }).waitFor();
  });

  task('verify a caller', 2, async (page, press) => {
    await open(page, '/customers');
    await write(page.getByLabel('Find a customer'), 'lovelace');
    await press(page.getByRole('table', { name: 'Customers' }).getByRole('link', { name: 'Ada Lovelace' }));
    await press(button(page, 'Show date of birth and address'));
    const panel = page.getByRole('region', { name: 'Verify a caller' });
    await panel.getByText('10 Dec 1990').waitFor();
    await panel.getByText('12 St James Square').waitFor();
    // The focus is on the button that hides them, and returns.
    await page.keyboard.press('Enter');
    await panel.getByText('10 Dec 1990').waitFor({ state: 'detached' });
    const focused = page.locator(':focus');
    await focused.getByText('Show date of birth and address').waitFor();
  });

  task('who changed this limit', 2, async (page, press) => {
    await open(page, `/cards/${card.id}`);
    await press(page.getByRole('tab', { name: 'Controls' }));
    await press(page.getByRole('link', { name: 'Who changed this' }));
    const entry = page.getByRole('table', { name: 'Audit entries' }).locator('tbody tr').first();
    await entry.getByText('Spend controls changed').waitFor();
    expect(await entry.innerText()).toContain(`Card ••••\u00a0${card.lastFour}`);
    expect(await entry.innerText()).toContain('Alma admin');
  });

  task('freeze a card', 2, async (page, press) => {
    await open(page, `/cards/${card.id}`);
    await press(button(page, 'Freeze'));
    await press(button(dialogOf(page), 'Freeze card'));
    await page.getByText('This card is frozen').waitFor();
  });

  task('resend everything that failed', 2, async (page, press) => {
    await open(page, '/webhooks');
    await page.getByText('Failing: response 500').waitFor();
    await press(button(page, 'Resend undelivered'));
    await press(button(dialogOf(page), 'Resend undelivered'));
    await page.getByText(/^Resending \d+ deliver/).waitFor();
  });

  task('why the endpoint failed last night', 3, async (page, press) => {
    await press(page.getByRole('button', { name: /^Notifications/ }));
    await press(page.getByRole('link', { name: /^Webhook endpoint .* is failing/ }));
    const rows = page.getByRole('table', { name: 'Events' }).locator('tbody tr');
    await press(rows.first().getByRole('button', { name: /^card\./ }));
    const attempt = rows.nth(1).getByRole('list', { name: 'Attempts' }).getByRole('listitem').first();
    await attempt.getByText('Response 500').waitFor();
    await attempt.getByText('database is away').waitFor();
  });

  task('reissue a card and ship it', 3, async (page, press) => {
    const plastic = await server.addCard({ cardType: 'physical' });
    await open(page, `/cards/${plastic.id}`);
    await press(button(page, 'Reissue'));
    const dialog = dialogOf(page);
    await press(dialog.getByRole('radio', { name: 'New number, new expiry date' }));
    await write(dialog.getByLabel('Street and number'), '12 St James Square');
    await write(dialog.getByLabel('Postal code'), 'SW1Y 4JH');
    await write(dialog.getByLabel('City'), 'London');
    await write(dialog.getByRole('combobox', { name: 'Country' }), 'United Kingdom');
    await page.getByRole('option', { name: 'United Kingdom', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await press(button(dialog, 'Reissue card'));
    await dialog.waitFor({ state: 'detached' });
    expect((await server.call('GET', `merchant/cards/${plastic.id}/`)).lastFour).not.toBe(plastic.lastFour);
  });

  task('block a card and issue a replacement', 5, async (page, press) => {
    const stolen = await server.addCard();
    await open(page, `/cards/${stolen.id}`);
    await press(button(page, 'Block'));
    await press(dialogOf(page).getByRole('radio', { name: 'Stolen' }));
    await press(button(dialogOf(page), 'Block card permanently'));
    await press(button(dialogOf(page), 'Issue replacement'));
    await page.getByText('Replaces', { exact: true }).waitFor();
    await press(page.getByRole('link', { name: stolen.id }));
    await page.getByText('Another card was issued in its place.').waitFor();
    expect(await button(page, 'Issue replacement').count()).toBe(0);
  });

  task('approve an adjustment', 2, async (page, press) => {
    const large = { amount: 500.01, reference: 'Case 4711' };
    await server.callAs('manager', 'POST', `merchant/cards/${card.id}/balance-adjustments/`, large);
    await open(page, '/approvals');
    const row = page.getByRole('row', { name: card.lastFour });
    await press(button(row, 'Approve'));
    await write(dialogOf(page).getByLabel('Your password'), PASSWORD);
    await press(button(dialogOf(page), 'Approve'));
    await dialogOf(page).waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    const { results } = await server.callAs('admin', 'GET', 'approvals/?status=APPROVED');
    expect(results[0]).toMatchObject({ cardId: card.id, amount: '500.01' });
  });

  task('rotate an API key', 4, async (page, press) => {
    await open(page, '/keys');
    const row = page.getByRole('row', { name: /network/i }).first();
    await press(row.getByRole('button', { name: /^Rotate/ }));
    const dialog = dialogOf(page);
    await press(dialog.getByRole('radio', { name: '1 hour' }));
    await press(button(dialog, 'Create new key'));
    await press(button(dialog, 'I have saved it'));
    await dialog.waitFor({ state: 'detached' });
  });

  task('the settlement file', 3, async (page, press) => {
    await open(page, '/reports');
    await press(page.getByRole('radio', { name: /^Network settlement/ }));
    const requested = page.waitForResponse((response) => response.url().includes('/merchant/files/'));
    await press(button(page, 'Request report'));
    await requested;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(page.getByRole('button', { name: 'Download CSV' }).first()),
    ]);
    expect(download.suggestedFilename()).toMatch(/^emboss-settlement-/);
  });

  test('a program is set up without the command line, with the mouse or the keyboard alone', async () => {
    const decider = await startReceiver((_, response) => response.end('{"decision": "APPROVE"}'));
    const page = await server.signIn(browser, 'admin');
    await page.goto(server.at('/program'));
    const dialog = dialogOf(page);
    const visit = (title: string) => press(page.getByRole('link', { name: title, exact: true }));
    const confirm = async (action: string) => {
      await write(dialog.getByLabel('Your password'), PASSWORD);
      await press(button(dialog, action));
    };
    const saveSecret = () => press(button(dialog, 'I have saved it'));

    await press(page.getByRole('button', { name: 'Switch program' }));
    await press(page.getByRole('menuitem', { name: 'New program' }));
    await write(dialog.getByRole('textbox', { name: 'Name', exact: true }), 'Acme');
    await confirm('Create program');
    await page.getByText('The money and the terms of Acme.').waitFor();

    await press(button(page, 'Deposit'));
    await write(dialog.getByLabel('Amount, EUR'), '2500');
    await write(dialog.getByLabel('Reference'), 'Bank transfer 4711');
    await confirm('Deposit €2,500.00');
    await page.getByRole('row', { name: /Bank transfer 4711/ }).waitFor();
    await press(button(page, 'Change fees'));
    await write(dialog.getByLabel('ATM fee'), '2.50');
    await confirm('Change fees');
    await page.getByText('€2.50').waitFor();

    await visit('Designs');
    await press(page.getByRole('button', { name: 'Add design' }));
    await write(dialog.getByRole('textbox', { name: 'Name', exact: true }), 'Sunrise Red');
    await confirm('Add design');
    await page.getByText('sunrise-red').waitFor();
    await page.getByText('Default', { exact: true }).waitFor();

    await visit('API keys');
    await press(page.getByRole('button', { name: 'Create key' }).first());
    await write(dialog.getByRole('textbox', { name: 'Name', exact: true }), 'shop');
    await press(button(dialog, 'Create key'));
    await saveSecret();
    await visit('Webhooks');
    await press(page.getByRole('button', { name: 'Add endpoint' }).first());
    await write(dialog.getByLabel('URL'), receiver.url);
    await press(button(dialog, 'Add endpoint'));
    await saveSecret();

    await visit('Real-time decisions');
    const authorizations = page.getByRole('region', { name: 'Authorizations', exact: true });
    await press(button(authorizations, 'Add endpoint'));
    await write(dialog.getByRole('textbox', { name: 'URL' }), decider.url);
    await confirm('Add endpoint');
    await saveSecret();
    await press(button(dialog, 'Send test'));
    await dialog.getByText(/^Your server approved the test purchase/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await press(button(page, 'Change mode'));
    await press(dialog.getByRole('radio', { name: 'Both' }));
    await press(button(dialog, 'Change mode'));
    await authorizations.getByText('Active', { exact: true }).waitFor();

    await visit('Cards');
    await press(page.getByRole('button', { name: 'Create card' }).first());
    const person = {
      'Your customer id': 'customer-1',
      'KYC applicant id': 'applicant-1',
      'Dial code': '44',
      'Phone number': '7700900123',
      'First name': 'Ada',
      'Last name': 'Lovelace',
      'Date of birth': '1990-12-10',
      'ID document number': 'P1234567',
      'Street and number': '12 St James Square',
      City: 'London',
      'Name on the card': 'ADA LOVELACE',
      'Opening balance': '100',
    };
    await write(dialog.getByLabel('ID document', { exact: true }), 'passport');
    for (const [label, value] of Object.entries(person)) await write(dialog.getByLabel(label), value);
    await write(dialog.getByRole('combobox', { name: 'Country' }), 'United Kingdom');
    await page.getByRole('option', { name: 'United Kingdom', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await press(button(dialog, 'Create card'));
    await button(page, 'Freeze').waitFor();
    await page.getByText('€100.00').first().waitFor();
    await decider.close();
  });
});
