import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAtLeast, ROLES, type Role } from '../../src/programs/access.ts';
import { accessibilityFindings, brokenWords, describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';
import { PASSWORD } from '../support/console/operators.ts';
import { ROLES_OF_KINDS, ROUTE_ROLES } from '../support/console/route-roles.ts';
import { eventually } from '../support/scripts/eventually.ts';

const DESK = { width: 1440, height: 900 };
const LAPTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

describeInBrowser('who may do what, and who can use it', (browser) => {
  let server: ConsoleServer;
  let card: { id: string };
  let blocked: { id: string };
  let rule: { id: string };
  let velocityRule: { id: string };
  let transactionId: string;

  beforeAll(async () => {
    server = await startConsoleServer();
    card = await server.addCard({ spendLimit: 20 });
    transactionId = (await server.swipe(card.id, '5.00')).transaction_id;
    await server.swipe(card.id, '500.00');
    await server.call('PUT', `merchant/cards/${card.id}/spend-controls/`, { dailyLimit: 50 });
    blocked = await server.addCard();
    await server.call('PUT', `merchant/cards/${blocked.id}/block/`, { reason: 'lost' });
    await server.addOperator('support', 'Otto Brand');
    await server.call('POST', 'sandbox/authentications/', { card_id: card.id, amount: '5.00' });
    await server.call('POST', 'merchant/webhook-endpoints/', { url: 'http://127.0.0.1:9/unused' });
    const threshold = { secondPersonAbove: '500.00', password: PASSWORD };
    await server.callAs('admin', 'PUT', 'second-person/', threshold);
    const large = { amount: 501, reference: 'Case 4711' };
    for (const role of ['manager', 'admin'] as const)
      await server.callAs(role, 'POST', `merchant/cards/${card.id}/balance-adjustments/`, large);
    const paused = { url: 'http://127.0.0.1:9/unused', paused: true };
    await server.call('PUT', 'merchant/decision-endpoints/authorization/', paused);
    const when = { field: 'country', op: 'in', value: ['DEU', 'FRA'] };
    const addRule = (name: string, condition: object) =>
      server.call('POST', 'merchant/rules/', {
        ...{ name, appliesTo: { cardIds: [card.id] }, action: 'DECLINE', when: condition },
      });
    rule = await addRule('Not at home', {
      any: [{ not: when }, { field: 'mcc', op: 'isNull', value: true }],
    });
    const velocity = { measure: 'COUNT', per: 'CARD', window: { minutes: 60 }, where: when };
    velocityRule = await addRule('Five in an hour', { velocity, op: 'gt', value: 5 });
    await server.swipe(card.id, '1.00', { merchant: { country: 'US' } });
    const today = (await server.call('GET', 'sandbox/clock/')).now.slice(0, 10);
    const span = { from: today, to: today, mode: 'OBSERVED' };
    const { id } = await server.call('POST', `merchant/rules/${rule.id}/backtests/`, span);
    await eventually(async () =>
      expect(await server.call('GET', `merchant/rule-backtests/${id}/`)).toMatchObject({
        status: 'COMPLETED',
      }),
    );
  });
  afterAll(() => server?.close());

  test('a viewer sees which role a change requires', async () => {
    const page = await server.signIn(browser, 'viewer');
    await page.goto(server.at(`/cards/${card.id}?tab=controls`));
    await page.getByText('Your role is read-only.').waitFor();
    const inApp = page.getByRole('switch', { name: 'Confirm online payments in your app' });
    await inApp.waitFor();
    expect(await inApp.isDisabled()).toBe(true);
    const notes: Array<[path: string, note: RegExp]> = [
      ['/reports', /Requesting reports requires the role support. Your role is viewer/],
      ['/webhooks', /requires the role manager. Your role is viewer/],
      ['/decisions', /Changing an endpoint requires the role manager/],
      ['/keys', /requires the role administrator. Your role is viewer/],
      ['/simulator', /requires the role manager. Your role is viewer/],
    ];
    for (const [path, note] of notes) {
      await server.show(page, path);
      await page.getByText(note).waitFor();
    }
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Simulator' }).count()).toBe(0);
  });

  /** Buttons with the route of the console API that they are for. Null: for everybody. */
  type Buttons = Record<string, string | null>;
  const free = (...names: string[]): Buttons => Object.fromEntries(names.map((name) => [name, null]));
  const LIST = free('Columns', 'Copy link', 'Created', 'Views');
  const CARD: Buttons = {
    ...free('Controls', 'Copy card id', 'Copy customer id', 'History', 'Transactions'),
    Adjust: 'POST merchant/cards/{cardId}/balance-adjustments/',
    'Change metadata': 'PUT merchant/cards/{cardId}/metadata/',
    Reveal: 'POST cards/{cardId}/reveal/',
    Simulate: 'POST sandbox/authorizations/',
  };
  const OPEN_CARD: Buttons = {
    ...CARD,
    Block: 'PUT merchant/cards/{cardId}/block/',
    Freeze: 'PUT merchant/cards/{cardId}/freeze/',
    Reissue: 'PUT merchant/cards/{cardId}/replace/',
  };
  const DECISIONS = 'merchant/decision-endpoints/{kind}/';
  const ENDPOINTS = 'merchant/webhook-endpoints/';
  /** The buttons of every page. */
  const BUTTONS: Array<[path: () => string, buttons: Buttons]> = [
    [() => '/', free('Pause live events')],
    [
      () => '/cards',
      {
        ...LIST,
        ...free('Card batches'),
        'Export CSV': 'GET cards/export/',
        'Create card': 'POST merchant/cards/',
        'Create from a file': 'POST merchant/card-batches/',
      },
    ],
    [() => '/card-batches', { 'Create from a file': 'POST merchant/card-batches/' }],
    [
      () => `/cards/${card.id}`,
      { ...OPEN_CARD, 'Adjust balance': 'POST merchant/cards/{cardId}/balance-adjustments/' },
    ],
    [
      () => `/cards/${blocked.id}`,
      { ...CARD, 'Issue replacement': 'POST cards/{blockedCardId}/replacement/' },
    ],
    [
      () => `/cards/${card.id}?tab=controls`,
      {
        ...OPEN_CARD,
        'Change usage': 'PUT merchant/cards/{cardId}/usage/',
        'Change controls': 'PUT merchant/cards/{cardId}/spend-controls/',
        'Raise for a time': 'PUT cards/{cardId}/temporary-limits/',
      },
    ],
    [() => `/cards/${card.id}?tab=history`, OPEN_CARD],
    [() => '/customers', {}],
    [
      () => '/customers/customer-42',
      {
        ...free('Copy customer id', 'Timeline', 'Transactions'),
        'Add note': 'POST customers/{customerId}/notes/',
        'Create card': 'POST merchant/cards/',
        Edit: 'PUT customers/{customerId}/contact/',
        'Freeze cards': 'PUT merchant/customers/{customerId}/freeze/',
        'Show date of birth and address': 'POST customers/{customerId}/identity/',
      },
    ],
    [() => '/transactions', { ...LIST, ...free('More filters'), 'Export CSV': 'GET transactions/export/' }],
    [
      () => `/transactions/${transactionId}`,
      {
        ...free('Copy network transaction id', 'Copy transaction id'),
        'Change metadata': 'PUT merchant/transactions/{transactionId}/metadata/',
        'Open in the simulator': 'POST sandbox/clearings/',
      },
    ],
    [
      () => '/program',
      {
        ...free('Manage decisions'),
        Change: 'PUT second-person/',
        'Change alert': 'PUT merchant/account/alert/',
        'Change fees': 'PUT fees/',
        Deposit: 'POST account/deposits/',
        Withdraw: 'POST account/withdrawals/',
        Save: 'PUT support-limits/',
      },
    ],
    [
      () => '/approvals',
      {
        Approve: 'POST approvals/{approvalId}/approve/',
        Reject: 'POST approvals/{approvalId}/reject/',
        'Withdraw request': 'POST approvals/{approvalId}/reject/',
      },
    ],
    [() => '/rules', { ...free('Lists'), 'Create rule': 'POST merchant/rules/' }],
    [
      () => `/rules/${rule.id}`,
      {
        ...free('Copy rule id'),
        Promote: 'POST merchant/rules/{ruleId}/promote/',
        Archive: 'DELETE merchant/rules/{ruleId}/',
        Replace: 'POST merchant/rules/',
        'Run backtest': 'POST merchant/rules/{ruleId}/backtests/',
        ...free('Show matches'),
      },
    ],
    [() => '/rules/lists', { 'Create list': 'PUT merchant/rule-lists/{listName}/' }],
    [
      () => '/designs',
      {
        'Add design': 'POST card-designs/',
        'Change Black': 'PUT card-designs/{cardDesignID}/',
        'Change Sold out': 'PUT card-designs/{cardDesignID}/',
      },
    ],
    [() => '/reports', { 'Request report': 'GET merchant/files/{fileType}/' }],
    [
      () => '/webhooks',
      {
        ...LIST,
        'Add endpoint': `POST ${ENDPOINTS}`,
        Edit: `PUT ${ENDPOINTS}{endpointId}/`,
        'Export CSV': 'GET webhook-events/export/',
        Pause: `PUT ${ENDPOINTS}{endpointId}/`,
        Remove: `DELETE ${ENDPOINTS}{endpointId}/`,
        'Resend undelivered': 'POST merchant/webhook-events/resend/',
        'Rotate secret': `POST ${ENDPOINTS}{endpointId}/rotate-secret/`,
        'Send test': `POST ${ENDPOINTS}{endpointId}/test/`,
      },
    ],
    [
      () => '/decisions',
      {
        // There is an endpoint for authorizations.
        'Add endpoint': `PUT ${DECISIONS} otp`,
        'Change mode': 'PUT decisions/mode/',
        Edit: `PUT ${DECISIONS}`,
        Remove: `DELETE ${DECISIONS}`,
        Resume: `PUT ${DECISIONS}`,
        'Rotate secret': `POST ${DECISIONS}rotate-secret/`,
        'Send test': `POST ${DECISIONS}test/`,
      },
    ],
    [() => '/people', { Actions: 'PUT people/{operatorId}/', 'Add person': 'POST people/' }],
    [() => '/audit', { 'Export CSV': 'GET audit/export/' }],
    [
      () => '/keys',
      {
        'Create key': 'POST keys/',
        Revoke: 'DELETE keys/{keyId}/',
        Rotate: 'POST keys/{keyId}/rotate/',
      },
    ],
    [() => '/simulator', { Advance: 'POST sandbox/clock/', Set: 'POST sandbox/clock/' }],
  ];
  /** The role of a route, which another test compares with the server; of those with kinds, by the kind after it. */
  const roleOf = (route: string): Role => {
    const [, name = '', kind = ''] = /^(\S+ \S+)(?: (.*))?$/.exec(route) ?? [];
    return ROLES_OF_KINDS[name]?.[kind] ?? (ROUTE_ROLES[name] as Role);
  };
  /** Changes behind a button, in a dialog, a menu or a form, with the route of that button. */
  const BEHIND: Record<string, string> = {
    'POST merchant/rule-backtests/': 'POST merchant/rules/',
    'POST merchant/webhook-events/{eventId}/resend/': 'POST merchant/webhook-events/resend/',
    'POST merchant/webhook-endpoints/{endpointId}/enable/': `PUT ${ENDPOINTS}{endpointId}/`,
    'POST card-batches/read/': 'POST merchant/card-batches/',
    'DELETE customers/{customerId}/notes/{noteId}/': 'POST customers/{customerId}/notes/',
    'PUT merchant/cards/{cardId}/3ds-forwarding/': 'PUT merchant/cards/{cardId}/spend-controls/',
    'DELETE people/{operatorId}/sessions/': 'PUT people/{operatorId}/',
    'DELETE people/{operatorId}/sessions/{sessionId}/': 'PUT people/{operatorId}/',
    'POST people/{operatorId}/remove-second-factor/': 'PUT people/{operatorId}/',
    'POST people/{operatorId}/reset-password/': 'PUT people/{operatorId}/',
    'DELETE invitations/{invitationId}/': 'POST people/',
    'POST invitations/': 'POST people/',
    'POST merchant/rules/{ruleId}/demote/': 'POST merchant/rules/{ruleId}/promote/',
    'POST merchant/rule-lists/{listName}/add/': 'PUT merchant/rule-lists/{listName}/',
    'POST merchant/rule-lists/{listName}/remove/': 'PUT merchant/rule-lists/{listName}/',
    'DELETE merchant/rule-lists/{listName}/': 'PUT merchant/rule-lists/{listName}/',
    'POST sandbox/authentications/': 'POST sandbox/authorizations/',
    'POST sandbox/increments/': 'POST sandbox/authorizations/',
    'POST sandbox/kyc-applicants/': 'POST sandbox/authorizations/',
    'POST sandbox/refunds/': 'POST sandbox/authorizations/',
    'POST sandbox/reversals/': 'POST sandbox/authorizations/',
  };
  /** What the console changes without a button for some roles only. */
  const ELSEWHERE = [
    // A customer's contact data stand for those of each card.
    'PUT merchant/cards/{cardId}/contact/',
    // In the menu of programs, for administrators of all programs.
    'POST programs/',
    // In the simulator, for administrators only: the answer of the cardholder's app.
    'POST merchant/authentications/{authenticationId}/answer/',
  ];

  test('every change of the console API has a button, or is behind one for the same role', () => {
    const shown = BUTTONS.flatMap(([, buttons]) => Object.values(buttons)).filter((route) => route !== null);
    const known = [...shown.map((route) => route.replace(/ \w+$/, '')), ...Object.keys(BEHIND), ...ELSEWHERE];
    // What viewers may change is their own: views and notifications.
    const changes = Object.keys(ROUTE_ROLES).filter(
      (route) => !route.startsWith('GET ') && roleOf(route) !== 'viewer',
    );
    expect(changes.filter((route) => !known.includes(route))).toEqual([]);
    for (const [route, button] of Object.entries(BEHIND))
      expect([route, roleOf(route)]).toEqual([route, roleOf(button)]);
  });

  /** The names of all buttons and of links that look like one, without what they name and without rows that open. */
  const NAMES = `[...new Set([...document.querySelectorAll('main button, main a[class*="Button"]')]
    .map((button) => button.getAttribute('aria-label') ?? button.innerText)
    .filter((name) => /^[A-Z].*$/.test(name))
    .map((name) => name.replace(/(: | for [A-Z]| test ).*/, '')))].sort()`;
  async function expectButtons(page: Page, role: Role, path: string, buttons: Buttons): Promise<void> {
    const expected = Object.keys(buttons).filter((name) => {
      const route = buttons[name];
      return !route || isAtLeast(role, roleOf(route));
    });
    await expect
      .poll(() => page.evaluate(NAMES), { message: path, timeout: 60_000 })
      .toEqual(expected.sort());
  }

  test.each(ROLES)('a %s sees the buttons of the role on every page, and no other', async (role) => {
    const page = await server.signIn(browser, role);
    await page.goto(server.at('/'));
    // Most of those of an administrator are compared where pages are opened as one, below.
    const opened = new Set(role === 'admin' ? pages.map(([, path]) => path()) : []);
    for (const [path, buttons] of BUTTONS) {
      if (opened.has(path())) continue;
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(server.at(path()))})`);
      await expectButtons(page, role, path(), buttons);
    }
  });

  test('an administrator adds a person, whose password is shown once, and ends a session', async () => {
    await server.addOperator('support', 'Sina Berg');
    const page = await server.signIn(browser, 'admin');
    await server.show(page, '/people');
    await page.getByRole('button', { name: 'Add person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('grace@example.com');
    await dialog.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await dialog.getByRole('radio', { name: 'Manager' }).check();
    await dialog.getByRole('radio', { name: 'Generated password' }).check();
    const add = dialog.getByRole('button', { name: 'Add person' });
    expect(await add.isDisabled()).toBe(true);
    // The administrator of this test has no second factor.
    expect(await dialog.getByLabel('Code').count()).toBe(0);
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
    await page
      .getByRole('dialog')
      .getByText(/signed in (just now|.* ago)/)
      .waitFor();
    // Their own role is changed by another administrator.
    expect(await page.getByRole('menuitem', { name: 'Disable' }).count()).toBe(0);
  });

  test('an administrator invites a person, who opens the link and sets a password', async () => {
    const page = await server.signIn(browser, 'admin');
    await server.show(page, '/people');
    const invite = async (email: string, name: string) => {
      await page.getByRole('button', { name: 'Add person' }).click();
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Your password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Create invitation' }).click();
      const shown = page.getByRole('dialog', { name: `Invitation of ${name}` });
      const link = await shown.locator('code').innerText();
      await shown.getByRole('button', { name: 'I have saved it' }).click();
      await page.getByRole('button', { name: `Revoke: ${name}` }).waitFor();
      return link;
    };
    const link = await invite('ida@example.com', 'Ida Rhodes');
    await invite('mix@example.com', 'Mix Up');
    await page.getByRole('button', { name: 'Revoke: Mix Up' }).click();
    await page.getByRole('button', { name: 'Revoke invitation' }).click();
    await page.getByRole('button', { name: 'Revoke: Mix Up' }).waitFor({ state: 'detached' });

    const guest = await browser.open({ baseURL: server.url });
    const requested: string[] = [];
    guest.on('request', (request) => requested.push(request.url(), request.headers()['referer'] ?? ''));
    await guest.goto(link);
    await guest.getByText('You are invited as Support').waitFor();
    expect(await accessibilityFindings(guest)).toEqual([]);
    await guest.getByLabel('Password', { exact: true }).fill('chosen by 1 Ida');
    await guest.getByRole('button', { name: 'Create account' }).click();
    await guest.getByRole('heading', { name: 'Overview' }).waitFor();
    const [, token = ''] = link.split('#');
    // Chromium reports the URL with the fragment, which it does not send.
    expect(requested.map((url) => url.split('#')[0]).filter((url) => url?.includes(token))).toEqual([]);
  });

  test('a manager reads and exports the audit log, and filters it', async () => {
    const page = await server.signIn(browser, 'manager');
    await page.goto(server.at(`/audit?card_id=${card.id}`));
    const table = page.getByRole('table', { name: 'Audit entries' });
    await table.getByText('Card created').waitFor();
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
    await table.getByText('Signed in').first().waitFor();
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
  });

  /** The name of a button that opens a dialog, or the way to one. */
  type Opening = string | RegExp | ((page: Page) => Promise<void>);
  const choose = (item: string) => async (page: Page) => {
    await page.getByRole('button', { name: 'Actions for Otto Brand' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const freezeSelected = async (page: Page) => {
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .check();
    await page.getByRole('button', { name: 'Freeze', exact: true }).click();
  };
  /** Every page, and its dialogs. Confirmations are one component, so some stand for all. */
  const pages: Array<[name: string, path: () => string, dialogs?: Opening[]]> = [
    ['overview', () => '/', [(page) => page.keyboard.press('Control+k'), /^Notifications/]],
    ['cards', () => '/cards', ['Create card', freezeSelected]],
    ['card batches', () => '/card-batches'],
    [
      'a card',
      () => `/cards/${card.id}`,
      ['Freeze', 'Reissue', 'Block', 'Adjust', 'Reveal', 'Change metadata'],
    ],
    ['a blocked card', () => `/cards/${blocked.id}`, ['Issue replacement']],
    [
      'its controls',
      () => `/cards/${card.id}?tab=controls`,
      ['Change controls', 'Raise for a time', 'Change usage'],
    ],
    ['its history', () => `/cards/${card.id}?tab=history`],
    ['customers', () => '/customers'],
    ['a customer', () => `/customers/customer-42`, ['Edit', 'Freeze cards']],
    [
      'transactions',
      () => '/transactions?min_amount=1',
      [(page) => page.getByRole('link', { name: 'Insufficient funds' }).click()],
    ],
    ['a transaction', () => `/transactions/${transactionId}`],
    ['the program', () => '/program', ['Change alert', /^Change$/, 'Deposit', 'Change fees']],
    ['approvals', () => '/approvals', ['Approve', 'Reject']],
    ['rules', () => '/rules'],
    ['a rule', () => `/rules/${rule.id}`, ['Promote']],
    ['a new rule', () => `/rules/new?replaces=${rule.id}`],
    ['a new velocity', () => `/rules/new?replaces=${velocityRule.id}`],
    ['lists of rules', () => '/rules/lists', ['Create list']],
    ['designs', () => '/designs', ['Add design']],
    ['reports', () => '/reports'],
    [
      'webhooks',
      () => '/webhooks',
      ['Add endpoint', /^Send test/, /^Edit/, /^Rotate secret/, 'Resend undelivered'],
    ],
    ['real-time decisions', () => '/decisions', ['Change mode', 'Send test', 'Edit', 'Remove']],
    ['people', () => '/people', ['Add person', choose('Edit'), choose('Sessions'), choose('Reset password')]],
    ['the audit log', () => '/audit'],
    ['keys', () => '/keys', ['Create key', 'Rotate']],
    ['the simulator', () => `/simulator?card=${card.id}&transaction=${transactionId}`, [/^Advance: 1 day/]],
    ['the account', () => '/../../account'],
    ['nothing', () => '/no-such-page'],
  ];

  /** Waits until all colours have changed: some change slowly. */
  async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.locator(`[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    await page.evaluate(`Promise.allSettled(document.getAnimations()
      .filter((animation) => animation instanceof CSSTransition).map(({ finished }) => finished))`);
  }

  /** The main button of a dialog, without scrolling. Only the command palette, explanations and notifications have none. */
  const BUTTON_IN_SIGHT = `(() => {
    const button = [...document.querySelectorAll('[role="dialog"] [class*="_footer_"] button')].at(-1);
    if (!button) return document.querySelector('[role="dialog"]:is([class*="Spotlight"], [class*="Drawer"], [class*="Popover"])') !== null;
    const { top, bottom, left } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(left + 3, (top + bottom) / 2));
  })()`;

  /** Wide and light, then in place narrow and dark, where only some of what axe checks can change. */
  async function findingsIn(page: Page): Promise<string[]> {
    await showIn(page, 'light');
    await page.setViewportSize(DESK);
    const findings = await accessibilityFindings(page);
    await showIn(page, 'dark');
    await page.setViewportSize(PHONE);
    const rules = ['color-contrast', 'scrollable-region-focusable', 'target-size'];
    findings.push(...(await accessibilityFindings(page, { rules })), ...(await misfits(page)));
    await page.setViewportSize(LAPTOP);
    return [...findings, ...(await misfits(page))];
  }

  /** What is wider than the window, and words that are broken inside. */
  async function misfits(page: Page): Promise<string[]> {
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    const most = page.viewportSize()?.width ?? 0;
    const words = await brokenWords(page);
    return [
      ...(width > most ? [`${width} px of ${most}`] : []),
      ...words.map((word) => `${word} at ${most} px`),
    ];
  }

  test.each(pages)(
    '%s has the buttons of an administrator; it and its dialogs are accessible, in light and dark, and fit the window with whole words',
    async (_name, path, dialogs = []) => {
      const page = await server.signIn(browser, 'admin');
      await server.show(page, path());
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      const buttons = BUTTONS.find(([at]) => at() === path())?.[1];
      if (buttons) await expectButtons(page, 'admin', path(), buttons);
      expect(await findingsIn(page)).toEqual([]);
      const dialog = page.getByRole('dialog');
      for (const opening of dialogs) {
        await page.setViewportSize(DESK);
        await (typeof opening === 'function'
          ? opening(page)
          : page.getByRole('button', { name: opening }).first().click());
        await dialog.waitFor();
        const name = await dialog.innerText();
        await page.setViewportSize(PHONE);
        // Dark and narrow, where more can be wrong: the colours of the light come from the same tokens.
        const findings = await accessibilityFindings(page, { within: '[role="dialog"]' });
        expect([name, [...findings, ...(await misfits(page))]]).toEqual([name, []]);
        // Also where a keyboard takes half of a phone.
        await page.setViewportSize({ ...PHONE, height: 480 });
        expect([name, await page.evaluate(BUTTON_IN_SIGHT)]).toEqual([name, true]);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
    },
  );
});
