import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAtLeast, type Role } from '../../src/programs/access.ts';
import { accessibilityFindings, describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';
import { PASSWORD } from '../support/console/operators.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

describeInBrowser('who may do what, and who can use it', (browser) => {
  let server: ConsoleServer;
  let card: { id: string };
  let transactionId: string;

  beforeAll(async () => {
    server = await startConsoleServer();
    card = await server.addCard({ spendLimit: 20 });
    transactionId = (await server.swipe(card.id, '5.00')).transaction_id;
    await server.swipe(card.id, '500.00');
    await server.call('POST', 'sandbox/authentications/', { card_id: card.id, amount: '5.00' });
    await server.call('POST', 'merchant/webhook-endpoints/', { url: 'http://127.0.0.1:9/nobody' });
    const paused = { url: 'http://127.0.0.1:9/nobody', paused: true };
    await server.call('PUT', 'merchant/decision-endpoints/authorization/', paused);
  });
  afterAll(() => server?.close());

  test('a viewer sees everything and no button that changes data; the server refuses such requests too', async () => {
    const page = await server.signIn(browser, 'viewer');
    await page.goto(server.at(`/cards/${card.id}`));
    await page.getByText('Your role is read-only.').waitFor();
    for (const name of ['Freeze', 'Block', 'Reissue', 'Reveal', 'Adjust'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto(server.at(`/cards/${card.id}?tab=controls`));
    const inApp = page.getByRole('switch', { name: 'Confirm online payments in your app' });
    await inApp.waitFor();
    expect(await inApp.isDisabled()).toBe(true);
    const pages: Array<[path: string, note: RegExp, button: string]> = [
      ['/reports', /Requesting reports requires the role support. Your role is viewer/, 'Request report'],
      ['/webhooks', /requires the role manager. Your role is viewer/, 'Add endpoint'],
      ['/decisions', /Changing an endpoint requires the role manager/, 'Change mode'],
      ['/keys', /requires the role administrator. Your role is viewer/, 'Create key'],
      ['/simulator', /requires the role manager. Your role is viewer/, 'Simulate purchase'],
    ];
    for (const [path, note, button] of pages) {
      await page.goto(server.at(path));
      await page.getByText(note).waitFor();
      expect(await page.getByRole('button', { name: button }).count()).toBe(0);
    }
    const { csrfToken } = await (await page.request.get('/console/api/session/')).json();
    const api = `/console/api/programs/${server.programId}`;
    const headers = { 'x-csrf-token': csrfToken };
    const refusals = [
      page.request.put(`${api}/merchant/cards/${card.id}/freeze/`, { headers, data: { freeze: true } }),
      page.request.put(`${api}/merchant/cards/${card.id}/block/`, { headers, data: { reason: 'x' } }),
      page.request.post(`${api}/cards/${card.id}/reveal/`, { headers, data: { reason: 'curious' } }),
      page.request.post(`${api}/keys/`, { headers, data: { kind: 'merchant', name: 'x' } }),
      page.request.post(`${api}/merchant/webhook-endpoints/`, { headers, data: { url: 'http://a.test/' } }),
      page.request.put(`${api}/decisions/mode/`, { headers, data: { authorizationMode: 'BOTH' } }),
      page.request.post(`${api}/sandbox/clock/`, { headers, data: { advance_seconds: 60 } }),
      page.request.get(`${api}/merchant/files/daily/?date=2020-01-01`, { headers }),
    ];
    expect((await Promise.all(refusals)).map((answer) => answer.status())).toEqual(refusals.map(() => 403));
  });

  const BUTTONS: Array<[button: string, needed: Role]> = [
    ['Freeze', 'support'],
    ['Reissue', 'support'],
    ['Block', 'manager'],
    ['Adjust', 'manager'],
    ['Reveal', 'admin'],
  ];
  test.each(['support', 'manager', 'admin'] as const)('a %s sees the buttons of the role', async (role) => {
    const page = await server.signIn(browser, role);
    await page.goto(server.at(`/cards/${card.id}`));
    await page.getByRole('button', { name: 'Freeze', exact: true }).waitFor();
    for (const [name, needed] of BUTTONS)
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([
        name,
        isAtLeast(role, needed) ? 1 : 0,
      ]);
  });

  test('an administrator adds a person, whose password is shown once, and ends a session', async () => {
    await server.addOperator('support', 'Sina Berg');
    const page = await server.signIn(browser, 'admin');
    await page.goto(server.at('/people'));
    await page.getByRole('button', { name: 'Add person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('grace@example.com');
    await dialog.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await dialog.getByRole('radio', { name: 'Manager' }).check();
    const add = dialog.getByRole('button', { name: 'Add person' });
    expect(await add.isDisabled()).toBe(true);
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await add.click();
    await page.getByRole('dialog', { name: 'Password of Grace Hopper' }).waitFor();
    expect(await page.getByRole('dialog').locator('code').innerText()).toMatch(/^[\w-]{12,}$/);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    const row = page.getByRole('row', { name: /Grace Hopper/ });
    await row.getByText('New password').waitFor();

    await row.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled').waitFor();
    await page.getByRole('button', { name: /^Actions for Alma/ }).click();
    await page.getByRole('menuitem', { name: 'Sessions' }).click();
    await page.getByRole('dialog').getByText('signed in just now').waitFor();
    // Their own role is changed by another administrator.
    expect(await page.getByRole('menuitem', { name: 'Disable' }).count()).toBe(0);
  });

  test('a manager reads and exports the audit log, and filters it', async () => {
    const page = await server.signIn(browser, 'manager');
    await page.goto(server.at(`/audit?card_id=${card.id}`));
    const table = page.getByRole('table', { name: 'Audit entries' });
    await table.getByText('card.created').waitFor();
    await page
      .getByText(/verified/i)
      .first()
      .waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).toMatch(/^time,id,actor,[\s\S]*card\.created/);
    await page.getByText('People and sign-ins').click();
    await table.getByText('operator.signed_in').first().waitFor();
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
  });

  /** Every page, and the buttons on it that open a dialog. Confirmations are one component, so some stand for all. */
  const pages: Array<[name: string, path: () => string, dialogs?: Array<string | RegExp>]> = [
    ['overview', () => '/'],
    ['cards', () => '/cards', ['Create card']],
    ['a card', () => `/cards/${card.id}`, ['Freeze', 'Reissue', 'Block', 'Adjust', 'Reveal']],
    ['its controls', () => `/cards/${card.id}?tab=controls`, ['Change controls']],
    ['its history', () => `/cards/${card.id}?tab=history`],
    ['a customer', () => `/customers/customer-42`, ['Edit']],
    ['transactions', () => '/transactions?min_amount=1'],
    ['a transaction', () => `/transactions/${transactionId}`],
    ['the program', () => '/program', ['Change alert']],
    ['designs', () => '/designs'],
    ['reports', () => '/reports'],
    [
      'webhooks',
      () => '/webhooks',
      ['Add endpoint', /^Send test/, /^Edit/, /^Rotate secret/, 'Resend undelivered'],
    ],
    ['real-time decisions', () => '/decisions', ['Change mode', 'Send test', 'Edit', 'Remove']],
    ['people', () => '/people', ['Add person']],
    ['the audit log', () => '/audit'],
    ['keys', () => '/keys', ['Create key', 'Rotate']],
    ['the simulator', () => `/simulator?card=${card.id}&transaction=${transactionId}`, [/^Advance: 1 day/]],
    ['the account', () => '/../../account'],
    ['nothing', () => '/no-such-page'],
  ];

  /** A page in dark and on a phone. Its dialogs are checked in light and wide, to share the time. */
  async function findingsIn(page: Page): Promise<string[]> {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(PHONE);
    await page.locator('[data-mantine-color-scheme="dark"]').waitFor();
    const findings = await accessibilityFindings(page);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    if (width !== PHONE.width) findings.push(`${width} px wide on a phone`);
    return findings;
  }

  test.each(pages)(
    '%s and its dialogs are accessible, and not wider than a phone',
    async (_name, path, dialogs = []) => {
      const page = await server.signIn(browser, 'admin');
      await page.goto(server.at(path()));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      expect(await findingsIn(page)).toEqual([]);
      for (const name of dialogs) {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.setViewportSize(DESK);
        await page.getByRole('button', { name }).first().click();
        await page.getByRole('dialog').waitFor();
        const findings = await accessibilityFindings(page, { within: '[role="dialog"]' });
        expect([name, findings]).toEqual([name, []]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    },
  );
});
