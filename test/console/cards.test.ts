import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings, describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';

const person = (firstName: string, lastName: string, id: string) => ({
  kyc: {
    firstName,
    lastName,
    dob: '1990-12-10',
    residentialAddress: {
      idDocumentType: 'passport',
      idDocumentNumber: 'P1234567',
      line1: '12 St James Square',
      line2: '',
      city: 'London',
      country: 'GBR',
      postalCode: 'SW1Y 4JH',
    },
  },
  meta: { id, otpPhoneNumber: { dialCode: 44, phoneNumber: '7700900123' }, email: 'who@example.com' },
});

describeInBrowser('the card desk', (browser) => {
  let server: ConsoleServer;

  beforeAll(async () => {
    server = await startConsoleServer();
  });
  afterAll(() => server?.close());

  const openCard = async (page: Page, id: string) => {
    await server.show(page, `/cards/${id}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  /** The response that the network would get now. */
  const decisionOn = async (cardId: string) => (await server.swipe(cardId, '1.00')).decline_reason;

  test('finds a card by name, last four, customer id, card id and the network’s transaction id', async () => {
    const { meta, ...grace } = person('Grace', 'Hopper', 'customer-cobol');
    const otpPhoneNumber = { dialCode: 44, phoneNumber: '2079460018' };
    const card = await server.addCard({ ...grace, meta: { ...meta, otpPhoneNumber } });
    await server.swipe(card.id, '3.00', { external_transaction_id: 'net-of-grace-1' });
    await server.addCard(person('Alan', 'Turing', 'customer-enigma'));
    const page = await server.signIn(browser, 'viewer');
    await page.goto(server.at('/'));
    const ways: Array<[text: string, foundBy: string]> = [
      ['hoppre', 'Cardholder'],
      ['+44 (0)20 7946 0018', 'Phone'],
      [card.lastFour, 'Last four'],
      ['customer-cobol', 'Customer id'],
      [card.id, 'Card id'],
      ['net-of-grace-1', 'Transaction'],
    ];
    for (const [text, foundBy] of ways) {
      await page.getByLabel('Search cards, customers, payments').fill(text);
      const option = page.getByRole('option', { name: 'Grace Hopper' });
      await option.getByText(foundBy, { exact: true }).waitFor();
      await option.click();
      // The search for a transaction opens its page, which links to the card.
      if (foundBy === 'Transaction') await page.getByRole('link', { name: /Grace Hopper/ }).click();
      await page.waitForURL(`**/cards/${card.id}`);
      await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
      await server.show(page, '/designs');
    }
    await page.getByLabel('Search cards, customers, payments').fill('no-such-name');
    await page.getByText('No match for').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No match for').waitFor({ state: 'hidden' });
    // A transaction by the amount that was taken: the search, and one click.
    await page.getByLabel('Search cards, customers, payments').fill('3.00');
    await page.getByRole('option', { name: 'Grace Hopper' }).click();
    await page.waitForURL('**/transactions/*');
  });

  test('a customer: cards, contact and notes; the cards are frozen together; another card is created; the palette goes to pages and acts', async () => {
    const card = await server.addCard(person('Hedy', 'Lamarr', 'customer-frequency'));
    const page = await server.signIn(browser, 'manager');
    await openCard(page, card.id);
    await page.getByRole('link', { name: 'customer-frequency' }).click();
    await page.getByRole('heading', { name: 'Hedy Lamarr' }).waitFor();
    await page.getByLabel('New note').fill('Prefers calls after six.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByRole('list', { name: 'Notes' }).getByText('Prefers calls after six.').waitFor();
    await page.getByRole('button', { name: /^Remove the note of/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove note' }).click();
    await page.getByText('No notes yet.').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail (optional)').fill('hedy@example.org');
    await dialog.getByRole('button', { name: 'Change contact' }).click();
    await page.getByText('hedy@example.org').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Freeze cards' }).click();
    await dialog.getByLabel('Reason (optional)').fill('phone stolen');
    await dialog.getByRole('button', { name: 'Freeze 1 card' }).click();
    await page.getByRole('button', { name: 'Unfreeze cards' }).waitFor();
    expect(await decisionOn(card.id)).toBe('card_frozen');
    await page.getByRole('button', { name: 'Unfreeze cards' }).click();
    await dialog.getByRole('button', { name: 'Unfreeze 1 card' }).click();
    await page.getByRole('button', { name: 'Freeze cards' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await decisionOn(card.id)).toBe(null);

    await page.getByRole('button', { name: 'Create card' }).click();
    const fields: Array<[label: string, value: string]> = [
      ['KYC applicant id', 'rejected-1'],
      ['Date of birth', '1990-12-10'],
      ['ID document number', 'P1234567'],
      ['Street and number', '12 St James Square'],
      ['City', 'London'],
    ];
    await dialog.getByLabel('ID document', { exact: true }).fill('passport');
    for (const [label, value] of fields) await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('combobox', { name: 'Country' }).fill('united k');
    await page.getByRole('option', { name: 'United Kingdom', exact: true }).click();
    const create = dialog.getByRole('button', { name: 'Create card' });
    browser.expectComplaint(/status of 400/);
    await create.click();
    await dialog.getByText('the applicant is not approved (rejected)').waitFor();
    await dialog.getByLabel('KYC applicant id').fill('applicant-7');
    expect(await accessibilityFindings(page)).toEqual([]);
    await create.click();
    await page.getByRole('button', { name: 'Freeze', exact: true }).waitFor();
    expect(page.url()).not.toContain(card.id);

    await page.keyboard.press('Control+k');
    const palette = page.getByLabel('Search pages, cards, customers and actions');
    // Typed before it is loaded.
    await page.keyboard.type('freeze this');
    await expect.poll(() => palette.inputValue()).toBe('freeze this');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Freeze card' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await palette.fill('create card');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Create card' }).waitFor();
    await dialog.getByLabel('Your customer id').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await palette.fill('lamar');
    await page.getByRole('button', { name: /customer-frequency/ }).waitFor();
    await page.locator('[data-action][data-selected]').first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await palette.fill('webhooks');
    await page.getByRole('button', { name: 'Webhooks', exact: true }).click();
    await page.waitForURL('**/webhooks');
    await palette.waitFor({ state: 'detached' });
  });

  test('creates cards from a file: the wrong rows are marked, the others become cards, and the failed rows are a file again', async () => {
    const page = await server.signIn(browser, 'manager');
    await server.show(page, '/cards');
    await page.getByRole('button', { name: 'Create from a file' }).click();
    const dialog = page.getByRole('dialog');
    const saved = async (button: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: button }).click(),
      ]);
      return readFileSync(await download.path(), 'utf8').split(/\r?\n/);
    };
    const [head = '', row = ''] = await saved('Save a template');
    const rows = [
      row.replace('customer-42', 'file-1'),
      row.replace('customer-42', 'file-2').replace('applicant-1', 'rejected-1'),
      row.replace('customer-42', 'file-3').replace('1990-12-10', '10.12.1990'),
    ];
    const choose = (lines: string[]) =>
      dialog
        .locator('input[type=file]')
        .or(page.locator('input[type=file]'))
        .setInputFiles({ name: 'staff.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });
    browser.expectComplaint(/status of 400/);
    await choose([head.replace('kyc.dob', 'kyc.bod'), ...rows]);
    await dialog.getByText('did you mean kyc.dob?').waitFor();
    await choose([head, ...rows]);
    await dialog.getByText('kyc.dob: must be a valid date, as YYYY-MM-DD').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create 2 cards' }).click();
    await dialog.getByText('1 card of 2 created.').waitFor();
    await dialog.getByText('kycApplicantId: the applicant is not approved (rejected)').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const failed = await saved('Save failed rows');
    expect(failed.slice(0, 3)).toEqual([
      `${head},error`,
      `${rows[1]},kycApplicantId: the applicant is not approved (rejected)`,
      `${rows[2]},"kyc.dob: must be a valid date, as YYYY-MM-DD"`,
    ]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('file-1').waitFor();

    await page.getByRole('link', { name: 'Card batches' }).click();
    const table = page.getByRole('table', { name: 'Card batches' });
    const batch = table.getByRole('row').filter({ hasText: '1 of 2' });
    await batch.getByText('Completed').waitFor();
    await batch.getByRole('button').click();
    await table.getByText('kycApplicantId: the applicant is not approved (rejected)').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      table.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8').split(/\r?\n/)).toEqual([
      'row,error',
      '2,kycApplicantId: the applicant is not approved (rejected)',
      '',
    ]);
  });

  test('explains a decline: what it means and what to do', async () => {
    const card = await server.addCard({ spendLimit: 5 });
    await server.swipe(card.id, '6.00', { merchant: { name: 'Corner Grocer', mcc: '5411' } });
    const page = await server.signIn(browser, 'support');
    await openCard(page, card.id);
    await page.getByText("The card's available credit does not cover the purchase and its fees.").waitFor();
    await page.getByText("Add to the card's balance.").waitFor();
    await page.getByRole('link', { name: 'Corner Grocer' }).click();
    const why = page.getByRole('region', { name: 'Decline reason' });
    await why.getByRole('heading', { name: 'Insufficient funds' }).waitFor();
    await why.getByText('What to do:').waitFor();
  });

  test('a decline by a limit shows its numbers; support raises the limit within the bounds of an admin', async () => {
    const admin = await server.signIn(browser, 'admin');
    await admin.goto(server.at('/program'));
    const panel = admin.getByRole('region', { name: 'Temporary limits by support' });
    await panel.getByLabel('Times the limit').fill('3');
    await panel.getByRole('button', { name: 'Save' }).click();
    await admin.getByText('Temporary limits by support changed').waitFor();

    const card = await server.addCard(person('Annie', 'Easley', 'customer-centaur'));
    await server.call('PUT', `merchant/cards/${card.id}/spend-controls/`, { dailyLimit: 50 });
    const grocer = { merchant: { name: 'Corner Grocer', mcc: '5411' } };
    await server.swipe(card.id, '30.00', grocer);
    for (let times = 0; times < 3; times++) await server.swipe(card.id, '20.01', grocer);
    const page = await server.signIn(browser, 'support');
    // Loads anew: a page that is open still has the earlier bounds for a while.
    await page.goto(server.at(`/cards/${card.id}`));
    const row = page.getByRole('listitem').filter({ hasText: 'Daily limit exceeded' });
    await row.getByText('3 times').waitFor();
    expect(await row.locator('dl').innerText()).toMatch(
      /Daily limit\s+€50\.00\s+Spent\s+€30\.00\s+This purchase\s+€20\.01\s+Resets\s+\d/,
    );
    await row.getByText('All 3 attempts').click();
    expect(await row.locator('details').getByRole('link').count()).toBe(3);
    await row.getByRole('button', { name: 'Raise limit' }).click();
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel('Raise to');
    expect(await amount.inputValue()).toBe('50.01');
    await amount.fill('150.01');
    await dialog.getByText('Your role can raise it to at most €150.00.').waitFor();
    await amount.fill('90');
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Raise limit' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await server.swipe(card.id, '20.01', grocer)).toMatchObject({ approved: true });
    await page.getByRole('tab', { name: 'Controls' }).click();
    await page.getByRole('button', { name: 'End the temporary daily limit' }).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('Daily limit, for a time').waitFor();
  });

  test('freezes and unfreezes, and shows the effect before the click', async () => {
    const card = await server.addCard();
    const page = await server.signIn(browser, 'support');
    await openCard(page, card.id);
    await page.getByRole('button', { name: 'Freeze', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('All new purchases are declined immediately').waitFor();
    expect(await decisionOn(card.id)).toBe(null);
    await dialog.getByLabel('Reason (optional)').fill('travels');
    await dialog.getByRole('button', { name: 'Freeze card' }).click();
    await page.getByText('This card is frozen: travels.').waitFor();
    expect(await decisionOn(card.id)).toBe('card_frozen');

    await page.getByRole('button', { name: 'Unfreeze' }).click();
    await dialog.getByRole('button', { name: 'Unfreeze card' }).click();
    await page.getByText('This card is frozen: travels.').waitFor({ state: 'detached' });
    expect(await decisionOn(card.id)).toBe(null);
  });

  test('freezes with the keyboard alone', async () => {
    const card = await server.addCard(person('Katherine', 'Johnson', 'customer-orbit'));
    const page = await server.signIn(browser, 'support');
    await page.goto(server.at('/'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('katherine');
    // Marked as what Enter opens; until then, Enter shows all that is found.
    const option = page.getByRole('option', { name: 'Katherine Johnson' });
    await option.and(page.locator('[data-combobox-selected]')).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/cards/${card.id}`);
    await page.getByRole('button', { name: 'Freeze', exact: true }).waitFor();
    await tabTo(page, 'Freeze');
    await page.keyboard.press('Enter');
    // The reason has the focus, and Enter confirms.
    await page.getByLabel('Reason (optional)').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('travels');
    await page.keyboard.press('Enter');
    await page.getByText('This card is frozen: travels.').waitFor();
    expect(await decisionOn(card.id)).toBe('card_frozen');
  });

  test.each([
    ['Stolen', '', 'stolen', '43'],
    ['Other', 'fraud was ruled out', 'fraud was ruled out', '62'],
  ])(
    'blocks a card permanently, with the chosen reason and its code, and offers a replacement: %s',
    async (choice, text, reason, code) => {
      const card = await server.addCard();
      const page = await server.signIn(browser, 'manager');
      await openCard(page, card.id);
      await page.getByRole('button', { name: 'Block', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('This is permanent:').waitFor();
      const go = dialog.getByRole('button', { name: 'Block card permanently' });
      expect(await go.isDisabled()).toBe(true);
      await dialog.getByRole('radio', { name: choice }).check();
      if (text) await dialog.getByLabel('Describe the reason').fill(text);
      // Only the button blocks: Enter on a reason does not.
      await dialog.getByRole('radio', { name: choice }).press('Enter');
      expect(await decisionOn(card.id)).toBe(null);
      await go.click();
      await page.getByText(`This card is permanently blocked: ${reason}.`).waitFor();
      expect(await server.swipe(card.id, '1.00')).toMatchObject({
        decline_reason: 'card_blocked',
        network_code: code,
      });
      // The way on: a replacement.
      await dialog.getByRole('button', { name: 'Issue replacement' }).waitFor();
      expect(await page.getByRole('button', { name: /freeze|reissue/i }).count()).toBe(0);
    },
  );

  test('reissues a card: the old number is declined, the card stays', async () => {
    const card = await server.addCard(person('Radia', 'Perlman', 'customer-tree'));
    const before = await server.call('GET', `merchant/cards/${card.id}/credentials/`);
    const page = await server.signIn(browser, 'admin');
    await openCard(page, card.id);
    await page.getByRole('button', { name: 'Reissue' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'New number, new expiry date' }).check();
    await dialog.getByText(`The number ending in ${card.lastFour} stops working immediately`).waitFor();
    await dialog.getByRole('button', { name: 'Reissue card' }).click();
    await dialog.waitFor({ state: 'detached' });
    const after = await server.call('GET', `merchant/cards/${card.id}/credentials/`);
    expect(after.cardNumber).not.toBe(before.cardNumber);
    await page
      .getByText(`•••• ${after.cardNumber.slice(-4)}`)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('Card reissued', { exact: true }).waitFor();
  });

  test('reveals a number with a reason, which the history shows with the operator’s name', async () => {
    const card = await server.addCard();
    const { cardNumber, cvv } = await server.call('GET', `merchant/cards/${card.id}/credentials/`);
    const page = await server.signIn(browser, 'admin');
    await openCard(page, card.id);
    expect(await page.content()).not.toContain(cardNumber);
    await page.getByRole('button', { name: 'Reveal' }).click();
    const dialog = page.getByRole('dialog');
    const go = dialog.getByRole('button', { name: 'Reveal for 30 seconds' });
    expect(await go.isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('case 4711, cannot read the plastic');
    await go.click();
    await dialog.getByText(cardNumber.replaceAll(/(\d{4})(?=\d)/g, '$1 ')).waitFor();
    await dialog.getByText(cvv, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Hide now' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(cardNumber.slice(0, 12));
    await page.getByRole('tab', { name: 'History' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'case 4711, cannot read the plastic' });
    await entry.getByText('Number revealed').waitFor();
    await entry.getByText('Alma admin').waitFor();
  });
});

/** Reached with the Tab key alone. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) === 1 && (await focused.textContent())?.trim() === name) return;
  }
  throw new Error(`no way to "${name}" by the keyboard`);
}
