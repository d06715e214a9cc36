import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wrongFor } from '../support/authentications/authentications.ts';
import { accessibilityFindings, choose, describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';

const PATIENT = { timeout: 40_000 };

describeInBrowser('transactions and the simulator', (browser) => {
  let server: ConsoleServer;
  let card: { id: string; lastFour: string };

  beforeAll(async () => {
    server = await startConsoleServer();
    card = await server.addCard({ spendLimit: 500 });
  });
  afterAll(() => server?.close());

  test('a filtered list is a link that shows the same list to another operator', async () => {
    browser.expectComplaint(/status of 401/);
    await server.swipe(card.id, '12.00', { merchant: { name: 'Corner Grocer', mcc: '5411' } });
    await server.swipe(card.id, '48.00', { merchant: { name: 'Corner Bakery', mcc: '5462' } });
    await server.swipe(card.id, '7.00', { channel: 'ECOMMERCE', merchant: { name: 'Circuit Barn' } });
    await server.swipe(card.id, '900.00', { merchant: { name: 'Corner Jewels', mcc: '5944' } });

    const page = await server.signIn(browser, 'viewer');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(server.at('/transactions'));
    const rows = page.getByRole('table', { name: 'Transactions' }).locator('tbody tr');
    await rows.nth(3).waitFor();
    const filters = page.getByRole('search', { name: 'Filters' });
    await filters.getByLabel('Merchant').fill('corner');
    await filters.getByLabel('Merchant').press('Enter');
    await expect.poll(() => rows.count(), PATIENT).toBe(3);
    // The reason of a decline leads to its explanation, which has an address, and back to the row.
    const reason = rows.getByRole('link', { name: 'Insufficient funds' });
    await reason.focus();
    await page.keyboard.press('Enter');
    const explanation = page.getByRole('dialog', { name: 'Declined at Corner Jewels' });
    await explanation.getByText('Needed, with fees').waitFor();
    const address = page.url();
    await page.keyboard.press('Escape');
    await explanation.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'), PATIENT)
      .toBe('Insufficient funds');
    await page.goto(address);
    await explanation.getByText('Needed, with fees').waitFor();
    await page.keyboard.press('Escape');
    await choose(filters, 'Status', 'Pending');
    await expect.poll(() => rows.count(), PATIENT).toBe(2);
    await filters.getByRole('button', { name: 'More filters' }).click();
    await filters.getByLabel('Minimum, EUR').fill('20');
    await filters.getByLabel('Minimum, EUR').press('Enter');
    await expect.poll(() => rows.count(), PATIENT).toBe(1);
    // The name of a category stands for its code, also where the link is opened.
    await filters.getByLabel('Category (MCC)').fill('Bakeries');
    await filters.getByLabel('Category (MCC)').press('Enter');
    await page.waitForURL(/mcc=5462/);
    await page.getByRole('button', { name: 'Copy link' }).click();
    const link = await page.evaluate('navigator.clipboard.readText()');
    expect(Object.fromEntries(new URL(String(link)).searchParams)).toEqual({
      merchant: 'corner',
      status: 'PENDING',
      min_amount: '20',
      mcc: '5462',
    });

    const { email, password } = await server.addOperator('viewer', 'Otto Other');
    const other = await browser.open({ baseURL: server.url });
    await other.goto(String(link));
    await other.getByLabel('E-mail').fill(email);
    await other.getByLabel('Password', { exact: true }).fill(password);
    await other.getByRole('button', { name: 'Sign in' }).click();
    const theirs = other.getByRole('table', { name: 'Transactions' }).locator('tbody tr');
    await theirs.getByText('Corner Bakery').waitFor();
    expect(await theirs.count()).toBe(1);
    expect(await other.locator('input').and(other.getByLabel('Category (MCC)')).inputValue()).toBe(
      'Bakeries (5462)',
    );
  });

  test('what is filtered is counted, exported and saved as a view; cards are frozen together', async () => {
    const [one, two] = [await server.addCard(), await server.addCard()];
    await server.swipe(one.id, '31.00', { merchant: { name: 'Export Shop' } });
    const page = await server.signIn(browser, 'support');
    await page.goto(server.at('/transactions?merchant=Export&created=30d'));
    await page.getByText('1 transaction', { exact: true }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const lines = readFileSync(await (await downloading).path(), 'utf8').split('\r\n');
    expect([lines.length, lines[1]]).toEqual([3, expect.stringContaining('Export Shop')]);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Save these filters and columns as').fill('Shop');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Shop', exact: true }).waitFor();
    await page.goto(server.at('/transactions'));
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Shop', exact: true }).click();
    await page.waitForURL('**/transactions?merchant=Export&created=30d');

    await server.show(page, '/cards?status=ACTIVE');
    for (const { lastFour } of [one, two])
      await page
        .getByRole('checkbox', { name: `Select Ada Lovelace, ${lastFour}` })
        .first()
        .check();
    const press = (name: string) =>
      page.getByRole('region', { name: 'Selection' }).getByRole('button', { name, exact: true }).click();
    const saving = page.waitForEvent('download');
    await press('Export');
    const cards = readFileSync(await (await saving).path(), 'utf8').split('\r\n');
    expect([cards.length, cards[0]]).toEqual([4, expect.stringContaining('last_used')]);
    await press('Freeze');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('data breach at a shop');
    await dialog.getByRole('button', { name: 'Freeze 2 cards' }).click();
    await dialog.getByText('2 of 2 cards frozen').waitFor();
    // The frozen cards leave the list, and the results stay.
    await page.getByRole('region', { name: 'Selection', includeHidden: true }).waitFor({ state: 'detached' });
    await dialog.getByText('2 of 2 cards frozen').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const { status, statusReason } = await server.call('GET', `merchant/cards/${two.id}/`);
    expect([status, statusReason]).toEqual(['FROZEN', 'data breach at a shop']);

    await dialog.getByRole('button', { name: 'Done' }).click();
    await server.show(page, '/cards');
    for (const { lastFour } of [one, two])
      await page
        .getByRole('checkbox', { name: `Select Ada Lovelace, ${lastFour}` })
        .first()
        .check();
    await server.call('PUT', `merchant/cards/${one.id}/block/`, { reason: 'lost', reasonCode: 'LOST' });
    browser.expectComplaint(/status of 400/);
    await press('Unfreeze');
    await dialog.waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText('1 of 2 cards unfrozen').waitFor();
    const failed = dialog.getByRole('listitem').filter({ hasText: one.lastFour });
    await failed.getByText(/blocked/).waitFor();
  });

  test('an empty result says that all transactions were searched', async () => {
    const page = await server.signIn(browser, 'viewer');
    await server.show(page, '/transactions?merchant=no-such-shop');
    await page.getByText('No transaction matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.waitForURL(server.url + server.at('/transactions'));
  });

  test('clearing the filters also clears text that was not applied yet', async () => {
    const page = await server.signIn(browser, 'viewer', { context: undefined });
    await page.clock.install();
    await page.goto(server.at('/transactions?status=PENDING'));
    const merchant = page.getByLabel('Merchant', { exact: true });
    const clear = page.getByRole('button', { name: 'Clear all' });
    await clear.waitFor();
    // On a slow machine the text would be applied before the click.
    await page.clock.pauseAt(Date.now() + 60_000);
    await merchant.fill('corner');
    await clear.click();
    await page.clock.runFor(5000);
    await page.waitForURL(server.url + server.at('/transactions'));
    expect(await merchant.inputValue()).toBe('');
  });

  test('letters typed while the list is loading are kept', async () => {
    const page = await server.signIn(browser, 'viewer', { context: undefined });
    await page.clock.install();
    await page.goto(server.at('/transactions'));
    const merchant = page.getByLabel('Merchant', { exact: true });
    await merchant.waitFor();
    // On a slow machine the later letters would be applied with the first.
    await page.clock.pauseAt(Date.now() + 60_000);
    await merchant.fill('corner');
    await merchant.press('Enter');
    await merchant.pressSequentially(' bak');
    await page.waitForURL('**/transactions?merchant=corner');
    expect(await merchant.inputValue()).toBe('corner bak');
    await page.clock.runFor(5000);
    await page.waitForURL('**/transactions?merchant=corner*bak');
  });

  test('a purchase is authorized, cleared and refunded, and its page shows every ledger transfer', async () => {
    const page = await server.signIn(browser, 'admin');
    await server.show(page, '/simulator');
    await page.getByLabel('Card', { exact: true }).fill(card.lastFour);
    await page.getByRole('list', { name: 'Cards found' }).getByRole('button').first().click();
    await page.getByRole('button', { name: /^Abroad/ }).click();
    await page.getByRole('button', { name: 'Simulate purchase' }).click();
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await receipt.getByText('Approved', { exact: true }).waitFor();
    await receipt.getByText('$40.00').waitFor();
    await receipt.getByRole('button', { name: 'Clear' }).click();
    await receipt.getByRole('button', { name: 'Refund' }).click();
    await receipt.getByText('Refunded').waitFor();

    await receipt.getByRole('link', { name: 'View transaction and ledger' }).click();
    const life = page.getByRole('region', { name: 'Timeline' });
    await life.getByRole('heading', { name: 'Cleared' }).waitFor();
    const [held, cleared] = await life.getByRole('table', { name: 'Ledger transfers' }).all();
    expect(await held?.locator('tbody').innerText()).toMatch(/Master account\s+Holds\s+€36\.80/);
    expect(await cleared?.locator('tbody').innerText()).toMatch(
      /Holds\s+Settlement with the network\s+€36\.80/,
    );
    await page.getByRole('link', { name: /Refunded later/ }).click();
    await page.getByRole('heading', { name: 'Refund from Lone Star Diner' }).waitFor();
    await page.getByRole('link', { name: /Refund of this purchase/ }).click();
    await page.getByRole('heading', { name: 'Purchase at Lone Star Diner' }).waitFor();
  });

  test('a purchase with 3-D Secure is confirmed by code or in the app, and the card shows how', async () => {
    const buyer = await server.addCard({ spendLimit: 500 });
    const page = await server.signIn(browser, 'admin');
    const steps = page.getByRole('region', { name: '3-D Secure' });
    const begin = async () => {
      await server.show(page, `/simulator?card=${buyer.id}`);
      await page.getByRole('button', { name: /^3-D Secure/ }).click();
      await page.getByRole('button', { name: 'Pay with 3-D Secure' }).click();
      await steps.waitFor();
    };
    await begin();
    await steps.getByText('Waiting for the code').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const code = await steps.locator('strong').innerText();
    const opened = page.waitForEvent('popup');
    await steps.getByRole('link', { name: "Open the cardholder's page" }).click();
    const cardholder = await opened;
    for (const entered of [wrongFor(code), code]) {
      await cardholder.getByLabel('Code').fill(entered);
      await cardholder.getByRole('button', { name: 'Confirm' }).click();
      await cardholder
        .getByText(entered === code ? 'The payment is confirmed.' : 'The code is wrong.')
        .waitFor();
    }
    await steps.getByText('Confirmed with a code').waitFor();
    await steps.getByRole('button', { name: 'Authorize the purchase' }).click();
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await receipt.getByText('Approved', { exact: true }).waitFor();

    await server.show(page, `/cards/${buyer.id}?tab=controls`);
    await page.getByRole('switch', { name: 'Confirm online payments in your app' }).click();
    await page.getByRole('switch', { name: 'Confirm online payments in your app', checked: true }).waitFor();
    await begin();
    await steps.getByRole('button', { name: 'Approve as the app' }).click();
    await steps.getByText('Approved in the app').waitFor();

    await server.show(page, `/cards/${buyer.id}`);
    const items = page.getByRole('listitem').filter({ hasText: '3-D Secure' });
    await items.nth(1).waitFor();
    expect(await items.allInnerTexts()).toEqual([
      expect.stringMatching(/Circuit Barn\s+€120\.00\s.* · 3-D Secure · Approved in the app\s+Authenticated/),
      expect.stringMatching(
        /Circuit Barn\s+€120\.00\s.* · 3-D Secure · 1 wrong code · used for a purchase · Confirmed with a code\s+Authenticated/,
      ),
    ]);
    await server.show(page, `/cards/${buyer.id}?tab=history`);
    await page.getByText('3-D Secure changed').waitFor();
    await page.getByText('Authentication answered').waitFor();
  });

  test('declines can be simulated, and the result shows the reason', async () => {
    const page = await server.signIn(browser, 'admin');
    await server.show(page, `/simulator?card=${card.id}`);
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await page.getByRole('button', { name: /^Over balance/ }).click();
    await page.getByRole('button', { name: 'Simulate purchase' }).click();
    await receipt.getByText("The card's available credit does not cover").waitFor();
    await page.getByRole('button', { name: /^Wrong expiry/ }).click();
    await page.getByRole('button', { name: 'Simulate purchase' }).click();
    await receipt.getByText('Wrong expiry date').waitFor();
    // The network may still say that it has approved in our place.
    expect(await receipt.getByRole('button').allInnerTexts()).toEqual(['Other messages of the network']);
  });

  test('the network decides in our place, raises, reverses and clears, and the purchase shows it in words', async () => {
    const guest = await server.addCard({ spendLimit: 500 });
    const page = await server.signIn(browser, 'admin');
    await server.show(page, `/simulator?card=${guest.id}`);
    await page.getByRole('button', { name: /^Hotel/ }).click();
    await page.getByRole('button', { name: 'Merchant, card data and message data' }).click();
    await choose(page, 'Decided by', 'The network: approved');
    await choose(page, 'Exemption', 'Corporate payment');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Simulate purchase' }).click();
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await receipt.getByText('Advice: approved').waitFor();
    const send = async (message: string, amount?: string) => {
      await receipt.getByRole('button', { name: 'Other messages of the network' }).click();
      await choose(receipt, 'Message', message);
      if (amount) await receipt.getByLabel('Amount, EUR').fill(amount);
      expect(await accessibilityFindings(page)).toEqual([]);
      await receipt.getByRole('button', { name: 'Send message' }).click();
      await receipt.getByRole('button', { name: 'Send message' }).waitFor({ state: 'detached' });
    };
    await send('Increment', '40.00');
    await receipt.getByText('Hold raised').waitFor();
    await send('Reversal of the increment of 40.00 EUR', '15.00');
    await receipt.getByText('Reversed', { exact: true }).waitFor();
    await send('Advice: the network approved', '60.00');
    await receipt.getByRole('button', { name: 'Clear' }).waitFor();
    await receipt.getByRole('link', { name: 'View transaction and ledger' }).click();
    await page.getByRole('heading', { name: 'Purchase at Hotel Aurora' }).waitFor();
    const life = page.getByRole('region', { name: 'Timeline' });
    await life.getByRole('heading').nth(4).waitFor();
    expect((await life.getByRole('heading').allInnerTexts()).slice(1)).toEqual([
      'Approved by the network',
      'Hold raised',
      'Increment reversed',
      'Approved by the network',
    ]);
    const facts = page.locator('dl').first();
    expect(await facts.innerText()).toMatch(/Pre-authorization\s+Yes/);
    expect(await facts.innerText()).toMatch(/Exemption from authentication\s+Corporate payment/);
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await server.call('POST', 'sandbox/clearings/', {
      transaction_id: id,
      amount: '90.00',
      arn: '24692166324100000000042',
    });
    await page.reload();
    const flags = page.getByRole('list', { name: 'Flags' });
    await flags.waitFor();
    expect(await flags.innerText()).toMatch(/Above the hold\s+More cleared than was approved/);
    await page.getByText('24692166324100000000042').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await server.show(page, `/transactions?card=${guest.id}`);
    const listed = page.getByRole('table', { name: 'Transactions' }).getByText('Above the hold');
    await listed.filter({ visible: true }).waitFor();
  });

  test('a credit waits for the refund that it announces', async () => {
    const page = await server.signIn(browser, 'admin');
    await server.show(page, `/simulator?card=${card.id}`);
    await page.getByRole('button', { name: /^Credit/ }).click();
    await page.getByRole('button', { name: 'Announce refund' }).click();
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await receipt.getByText('Announced', { exact: true }).waitFor();
    await receipt.getByRole('button', { name: 'Refund' }).click();
    await receipt.getByText('Cleared', { exact: true }).waitFor();
    await receipt.getByRole('link', { name: 'View transaction and ledger' }).click();
    const life = page.getByRole('region', { name: 'Timeline' });
    await life.getByRole('heading', { name: 'Refunded' }).waitFor();
    expect((await life.getByRole('heading').allInnerTexts()).slice(1)).toEqual([
      'Refund announced',
      'Refunded',
    ]);
  });

  test('a purchase shows in words whether the cardholder was authenticated', async () => {
    const page = await server.signIn(browser, 'viewer');
    for (const [authentication, words] of [
      [{ eci: '05' }, 'Authenticated with 3-D Secure'],
      [{ authentication_id: 'acs-lost' }, 'Not authenticated: no authentication has this id'],
    ] as const) {
      const { transaction_id: id } = await server.swipe(card.id, '1.00', { authentication });
      await server.show(page, `/transactions/${id}`);
      await page.getByText(words, { exact: true }).waitFor();
    }
  });

  test('the clock moves forward after a warning, and a hold without a clearing is released', async () => {
    const { transaction_id: held } = await server.swipe(card.id, '9.00', {
      merchant: { name: 'Hotel Aurora' },
    });
    const { now: before } = await server.call('GET', 'sandbox/clock/');
    const page = await server.signIn(browser, 'admin');
    await server.show(page, '/simulator');
    await page.getByRole('button', { name: 'Advance: 8 days' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The clock cannot be moved back.').waitFor();
    await dialog.getByRole('button', { name: 'Move clock' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { now } = await server.call('GET', 'sandbox/clock/');
    expect(Date.parse(now) - Date.parse(before)).toBeGreaterThan(7.9 * 86_400_000);
    await server.show(page, `/transactions/${held}`);
    await page.getByRole('heading', { name: 'Hold released' }).waitFor();
  });
});
