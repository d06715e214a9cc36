import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAtLeast, type Role } from '../../src/programs/access.ts';
import { accessibilityFindings, describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';

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
      expect([name, await page.getByRole('button', { name }).count()]).toEqual([
        name,
        isAtLeast(role, needed) ? 1 : 0,
      ]);
  });

  const pages: Array<[name: string, path: () => string]> = [
    ['overview', () => '/'],
    ['cards', () => '/cards'],
    ['a card', () => `/cards/${card.id}`],
    ['its controls', () => `/cards/${card.id}?tab=controls`],
    ['its history', () => `/cards/${card.id}?tab=history`],
    ['transactions', () => '/transactions?min_amount=1'],
    ['a transaction', () => `/transactions/${transactionId}`],
    ['designs', () => '/designs'],
    ['reports', () => '/reports'],
    ['webhooks', () => '/webhooks'],
    ['real-time decisions', () => '/decisions'],
    ['keys', () => '/keys'],
    ['the simulator', () => `/simulator?card=${card.id}&transaction=${transactionId}`],
    ['nothing', () => '/no-such-page'],
  ];

  test.each(pages)(
    '%s is accessible, in light and dark, and not wider than the screen',
    async (_name, path) => {
      const page = await server.signIn(browser, 'admin');
      await page.goto(server.at(path()));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 380, height: 800 });
      await page.locator('[data-mantine-color-scheme="dark"]').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(380);
    },
  );
});
