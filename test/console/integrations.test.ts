import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings, describeInBrowser } from '../support/console/browser.ts';
import { type ConsoleServer, startConsoleServer } from '../support/console/console-server.ts';
import { PASSWORD } from '../support/console/operators.ts';
import { runCli } from '../support/server/cli.ts';
import { type Received, type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';

describeInBrowser('reports, webhooks and keys', (browser) => {
  let server: ConsoleServer;
  let receiver: Receiver;
  let isReceiverWell = true;
  let decision: object = { decision: 'APPROVE' };

  beforeAll(async () => {
    server = await startConsoleServer();
    receiver = await startReceiver((received, response) => {
      if (received.body.eventName === 'authorization.request')
        response.writeHead(200).end(JSON.stringify(decision));
      else response.writeHead(isReceiverWell ? 200 : 500).end(isReceiverWell ? 'thanks' : 'database is away');
    });
  });
  afterAll(async () => {
    await receiver?.close();
    await server?.close();
  });

  test('a report is requested under the documented rules, generated and downloaded', async () => {
    const card = await server.addCard();
    await server.swipe(card.id, '5.00', { merchant: { name: 'Corner Grocer' } });
    const day = String((await server.call('GET', 'sandbox/clock/')).now).slice(0, 10);
    await server.call('POST', 'sandbox/clock/', { advance_seconds: 2 * 86_400 });

    const page = await server.signIn(browser, 'admin');
    await page.goto(server.at('/reports'));
    await page.getByText('No reports yet').waitFor();
    await page.getByText('Available two days after the day.').waitFor();
    const date = page.getByLabel('Day (UTC)');
    expect(await date.inputValue()).toBe(day);
    await date.click();
    await page.getByRole('button', { name: 'Previous' }).waitFor();
    expect(await accessibilityFindings(page, { within: '[data-dates-dropdown]' })).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Request report' }).click();
    const row = page.getByRole('table', { name: 'Requested reports' }).getByRole('row').nth(1);
    await row.getByText('Ready').waitFor();
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: 'Download CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`emboss-daily-${day}.csv`);
    const [header, ...lines] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    expect(header).toMatch(/^event_time,event,transaction_id/);
    expect(lines.join('\n')).toContain('Corner Grocer');
  });

  test('a webhook endpoint is added, tested, fails, recovers, gets a resend and is removed', async () => {
    const page = await server.signIn(browser, 'admin');
    await server.show(page, '/webhooks');
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog.getByRole('radio', { name: 'Selected events only' }).check();
    await dialog.getByRole('checkbox', { name: 'Cards' }).check();
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('whsec_');

    await page.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByText('Response 200').waitFor();
    await dialog.getByText('Close', { exact: true }).click();
    await dialog.waitFor({ state: 'detached' });

    isReceiverWell = false;
    await server.addCard();
    const rows = page.getByRole('table', { name: 'Events' }).locator('tbody tr');
    await rows.first().getByText('card.created').waitFor();
    await rows.first().getByRole('button', { name: 'card.created' }).click();
    const attempts = rows.nth(1).getByRole('list', { name: 'Attempts' }).getByRole('listitem');
    await attempts.first().getByText('Response 500').waitFor();
    await attempts.first().getByText('database is away').waitFor();
    await rows.nth(1).getByText('Next attempt').waitFor();
    await rows.nth(1).getByRole('link', { name: 'View card' }).waitFor();
    await rows.first().getByText('Retrying').filter({ visible: true }).waitFor();
    const endpoint = page.getByRole('list', { name: 'Endpoints' });
    await endpoint.getByText('Failing: response 500').waitFor();

    // Two clicks resend all that waits for a retry. The receiver stays ill until then: a retry would leave nothing to send.
    await page.getByRole('button', { name: 'Resend undelivered' }).click();
    await dialog.getByRole('button', { name: 'Resend undelivered' }).click();
    await page.getByText('Resending 1 delivery.').waitFor();
    isReceiverWell = true;
    await attempts.filter({ hasText: 'Response 200' }).first().waitFor();
    const isOfCard = ({ body }: Received) => body.eventName === 'card.created';
    const arrived = (await receiver.until((all) => all.filter(isOfCard).length >= 2)).filter(isOfCard);
    expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(1);

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByText('For 24 hours deliveries are signed with both secrets').waitFor();
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();

    await page
      .getByRole('checkbox', { name: /^Select card\.created/ })
      .first()
      .check();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Resend' }).click();
    await receiver.until((all) => all.filter(isOfCard).length >= 3);

    await page.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('pending deliveries to it are cancelled').waitFor();
    await dialog.getByRole('button', { name: 'Remove endpoint' }).click();
    await page.getByText('No endpoints yet').waitFor();
  });

  test('a server decides purchases in real time: it is added, tested, used, paused and removed', async () => {
    const page = await server.signIn(browser, 'admin');
    await server.show(page, '/decisions');
    const dialog = page.getByRole('dialog');
    const panel = page.getByRole('region', { name: 'Authorizations', exact: true });
    const setMode = async (name: string) => {
      await page.getByRole('button', { name: 'Change mode' }).click();
      await dialog.getByRole('radio', { name }).check();
      await dialog.getByRole('button', { name: 'Change mode' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await page.getByRole('button', { name: 'Change mode' }).click();
    expect(await dialog.getByRole('radio', { name: 'Real-time' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');

    await panel.getByRole('button', { name: 'Add endpoint' }).press('Enter');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await dialog.getByRole('radio', { name: 'Approve within limits' }).check();
    const add = dialog.getByRole('button', { name: 'Add endpoint' });
    expect(await add.isDisabled()).toBe(true);
    await dialog.getByLabel('Most per purchase').fill('50');
    await dialog.getByLabel('Most per card and day').fill('200');
    expect(await add.isDisabled()).toBe(true);
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    decision = { decision: 'PERHAPS' };
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByText('{"decision":"PERHAPS"}').waitFor();
    await dialog.getByText('Close', { exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Not used').waitFor();

    // A server that answers nonsense is not put in charge.
    await page.getByRole('button', { name: 'Change mode' }).click();
    await dialog.getByRole('radio', { name: 'Real-time' }).check();
    await dialog.getByRole('button', { name: 'Change mode' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/did not pass a test request: decision: must be one of/)
      .waitFor();
    browser.expectComplaint(/status of 409/);
    await dialog.getByRole('checkbox', { name: 'Use this server without a passed test' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    decision = { decision: 'DECLINE' };
    await panel.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByText(/^Your server declined the test purchase in \d+ ms\.$/).waitFor();
    await dialog.getByText('Close', { exact: true }).click();
    await dialog.waitFor({ state: 'detached' });

    await setMode('Real-time');
    await panel.getByText('Active', { exact: true }).waitFor();
    decision = { decision: 'APPROVE', reference: 'w-1', metadata: { wallet: 'main' } };
    const card = await server.addCard();
    const { transaction_id: id } = await server.swipe(card.id, '5.00');
    await page.reload();
    const chart = page.getByRole('slider', { name: 'Response times and failures' });
    await chart.press('End');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(
      /: half within \d+ ms, .* 1 decided by your server, 0/,
    );

    await panel.getByRole('button', { name: 'Pause' }).click();
    await dialog.getByText('“Approve within limits”').waitFor();
    await dialog.getByLabel('Your password').fill('not the password of 9 tests');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/is wrong/)
      .waitFor();
    browser.expectComplaint(/status of 400/);
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/^No requests since .* because it is paused\./).waitFor();
    await server.call('POST', 'sandbox/increments/', { transaction_id: id, amount: '1.00' });
    await server.show(page, `/transactions/${id}`);
    const life = page.getByRole('region', { name: 'Timeline' });
    await life.getByText(/^Approved by your server in \d+ ms \(reference w-1\)$/).waitFor();
    await life.getByText('wallet').waitFor();
    await life.getByText('Approved in place of your server, whose endpoint was paused').waitFor();

    await page.goto(server.at('/decisions'));
    await setMode('Standard');
    await panel.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/elsewhere');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Save endpoint' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await panel.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Remove endpoint' }).click();
    await panel.getByText('No endpoint yet').waitFor();
  });

  test('a server sends one-time passwords: it is added, tested, used, paused, rotated and removed', async () => {
    const page = await server.signIn(browser, 'admin');
    await server.show(page, '/decisions');
    const dialog = page.getByRole('dialog');
    const panel = page.getByRole('region', { name: 'One-time passwords' });
    const act = async (name: string, confirm = name) => {
      await panel.getByRole('button', { name }).click();
      if (name !== 'Send test') await dialog.getByLabel('Your password').fill(PASSWORD);
      await dialog.getByRole('button', { name: confirm }).click();
    };
    await panel.getByRole('button', { name: 'Add endpoint' }).click();
    expect(await dialog.getByRole('radio').count()).toBe(0);
    await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await panel.getByText('Paused', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByText(/^Your server sent the test code in \d+ ms\.$/).waitFor();
    await dialog.getByText('Close', { exact: true }).click();
    await act('Resume');
    await panel.getByText('Active', { exact: true }).waitFor();

    const { id: card_id } = await server.addCard();
    const { otp } = await server.call('POST', 'sandbox/authentications/', { card_id, amount: '5.00' });
    await receiver.until((all) => all.some(({ body }) => body.data['otp'] === otp));
    await act('Pause');
    await panel
      .getByText(/^No requests since .* because it is paused\. The code counts as not sent/)
      .waitFor();
    await act('Rotate secret');
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await act('Remove', 'Remove endpoint');
    await panel.getByText('No endpoint yet').waitFor();
  });

  test('a rule is written in the form and as JSON, declines in shadow, and is promoted against the guard', async () => {
    const page = await server.signIn(browser, 'admin');
    await page.goto(server.at('/rules'));
    await page.getByRole('link', { name: 'Create rule' }).click();
    await page.getByLabel('Name').fill('Not at Corner Grocer');
    const json = page.getByLabel('Condition as JSON');
    const amount = page.getByLabel('Value in EUR');
    // The JSON leads the form, the form the JSON, and a fault is at its leaf.
    await json.fill(
      '{"all":[{"field":"merchant.name","op":"contains","value":"grocer"},{"field":"billAmount","op":"gt","value":"1.001"}]}',
    );
    browser.expectComplaint(/status of 400/);
    await page.getByRole('alert').getByText('at most 2 decimals in EUR').waitFor();
    await page.getByText('when.all[1].value: at most 2 decimals in EUR').waitFor();
    await amount.fill('7.5');
    expect(JSON.parse(await json.inputValue()).all[1]).toEqual({
      field: 'billAmount',
      op: 'gt',
      value: '7.5',
    });
    await page.getByText('The condition is valid.').waitFor();
    await page.getByRole('button', { name: 'Create rule in shadow' }).click();
    await page.getByRole('heading', { name: 'Not at Corner Grocer' }).waitFor();

    const card = await server.addCard({ spendLimit: 100 });
    const buy = () => server.swipe(card.id, '8.00', { merchant: { name: 'Corner Grocer' } });
    const { transaction_id: id, approved } = await buy();
    expect(approved).toBe(true);
    await page.reload();
    await page.getByRole('table', { name: 'Matches' }).getByText('Would decline').last().waitFor();
    browser.expectComplaint(/status of 409/);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Promote' }).click();
    await dialog.getByRole('button', { name: 'Promote' }).click();
    await dialog.getByText(/would have declined 1 of \d+ approvals/).waitFor();
    await dialog.getByLabel('Promote the rule anyway').check();
    await dialog.getByRole('button', { name: 'Promote anyway' }).click();
    await page.getByRole('button', { name: 'Demote' }).waitFor();
    expect((await buy()).decline_reason).toBe('rule_declined');
    await server.show(page, `/transactions/${id}`);
    await page.getByText('Merchant name contains grocer').waitFor();
  });

  test('a rule is backtested before and after it is saved, and its number is on the button that promotes it', async () => {
    const card = await server.addCard({ spendLimit: 100 });
    for (const amount of ['8.00', '9.00', '200.00'])
      await server.swipe(card.id, amount, { merchant: { name: 'Harbour Bakery' } });
    const page = await server.signIn(browser, 'manager');
    await page.goto(server.at('/rules/new'));
    const run = page.getByRole('button', { name: 'Run backtest' });
    const json = page.getByLabel('Condition as JSON');
    const when = '{"field":"merchant.name","op":"eq","value":"harbour bakery"}';
    await json.fill(when);
    await page.getByText('The condition is valid.').waitFor();
    const firstDay = page.getByLabel('First day (UTC)');
    await firstDay.fill('2019-01-01');
    await firstDay.blur();
    await page.getByText(/^At most 366 days; these are \d+\.$/).waitFor();
    expect(await run.isDisabled()).toBe(true);
    await firstDay.fill(await page.getByLabel('Last day (UTC)').inputValue());
    await firstDay.blur();
    await run.click();
    // Two of three are approvals.
    await page.getByText(/^2 of \d+ \(\d+\.\d%\)€17\.00$/).waitFor();
    await page.getByText('1 already declined').waitFor();
    await json.fill(when.replace('eq', 'startsWith'));
    await page.getByText('The rule has changed since this backtest.').waitFor();

    await page.getByLabel('Name').fill('Not at Harbour Bakery');
    await page.getByText('The condition is valid.').waitFor();
    await page.getByRole('button', { name: 'Create rule in shadow' }).click();
    await page.getByRole('heading', { name: 'Not at Harbour Bakery' }).waitFor();
    await page.getByText('No backtests yet').waitFor();
    await page.getByRole('radio', { name: 'As if active' }).check();
    await run.click();
    const row = page.getByRole('table', { name: 'Backtests' }).getByRole('row').nth(1);
    await row.getByText('Completed').last().waitFor();
    await row.getByText('As if active').last().waitFor();
    await page.getByRole('button', { name: 'Show matches' }).click();
    const matches = page.getByRole('table', { name: 'Matches of the backtest' });
    await matches.getByRole('row').nth(3).waitFor();
    expect(await matches.getByText('Approved').count()).toBe(2);

    await page.getByRole('button', { name: /^Promote: would have declined 2 of \d+ approvals \(/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^In the last 7 days it would have declined 0 of \d+ approvals/).waitFor();
    await dialog
      .getByText(/^Its newest backtest, .* would have declined 2 of \d+ approvals .*, €17\.00\.$/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await matches.getByRole('link').first().click();
    await page.getByText('Harbour Bakery').first().waitFor();
    // The result is in the address.
    await page.goBack();
    await page.getByRole('region', { name: /^Backtest: .*, as if active$/ }).waitFor();
  });

  test('a key is created, used over HTTP, rotated with an overlap, revoked and then refused', async () => {
    const page = await server.signIn(browser, 'admin');
    await server.show(page, '/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('test robot');
    await dialog.getByRole('checkbox', { name: 'Write' }).uncheck();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const shownKey = async () => {
      const text = await dialog.getByText(/^emboss_sandbox_merchant_/).innerText();
      await dialog.getByRole('button', { name: 'I have saved it' }).click();
      await dialog.waitFor({ state: 'detached' });
      return text;
    };
    const first = await shownKey();
    expect(await page.content()).not.toContain(first);
    const statusWith = async (key: string, method = 'GET') => {
      const answer = await fetch(`${server.url}/api/v1/merchant/cards/`, {
        method,
        headers: { 'x-payments-api-key': key, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{}' }),
      });
      return answer.status;
    };
    expect([await statusWith(first), await statusWith(first, 'POST')]).toEqual([200, 403]);

    const rowOf = (key: string) => page.getByRole('row').filter({ hasText: `…${key.slice(-4)}` });
    await rowOf(first).getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByRole('radio', { name: '1 hour' }).check();
    await dialog.getByRole('button', { name: 'Create new key' }).click();
    const second = await shownKey();
    await rowOf(first).getByText('Expiring').waitFor();
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);

    await rowOf(second).getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByText('All servers reject requests with this key immediately.').waitFor();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await rowOf(second).getByText('Revoked').waitFor();
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 401]);
  });

  test('a network key is created with permissions of the network', async () => {
    const page = await server.signIn(browser, 'admin');
    await server.show(page, '/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('card manufacturer');
    await dialog.getByRole('radio', { name: 'Card network' }).check();
    expect(await dialog.getByRole('checkbox', { name: 'Write' }).count()).toBe(0);
    for (const scope of ['Authorizations', 'Clearing files', 'Disputes'])
      await dialog.getByRole('checkbox', { name: scope }).uncheck();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await dialog.getByText(/^emboss_sandbox_network_/).innerText();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    const row = page.getByRole('row').filter({ hasText: `…${key.slice(-4)}` });
    await row.getByText('Fulfilment', { exact: true }).waitFor();
    const { status } = await fetch(`${server.url}/api/v1/network/authorizations/`, {
      method: 'POST',
      headers: { 'x-network-key': key, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(status).toBe(403);
  });

  test('the program page shows the interchange of cash, the exemptions and the percentage of clearings', async () => {
    const page = await server.signIn(browser, 'viewer');
    const term = (name: string) =>
      page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd[1]');
    await server.show(page, '/program');
    await expect.poll(() => term('Cash interchange earned').innerText()).toBe('0.00%');
    expect(await term('Exemptions allowed').innerText()).toBe('None');
    expect(await term('Clearings flagged').innerText()).toBe('More than 20% above the approved amount');
    const terms = ['--cash-interchange-bps', '-30', '--allow-exemptions', 'LOW_VALUE,CORPORATE'];
    const { code } = await runCli(server.env, ['program', 'set', server.programId, ...terms]);
    expect(code).toBe(0);
    await page.reload();
    await expect.poll(() => term('Cash interchange paid').innerText()).toBe('0.30%');
    expect(await term('Exemptions allowed').innerText()).toBe('Low value, Corporate');
  });

  test('a key that reveals card numbers is created and rotated with the password again', async () => {
    const page = await server.signIn(browser, 'admin');
    await server.show(page, '/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('cardholder app');
    const password = dialog.getByRole('textbox', { name: 'Your password' });
    expect(await password.count()).toBe(0);
    await dialog.getByRole('checkbox', { name: 'Credentials' }).check();
    const create = dialog.getByRole('button', { name: 'Create key' });
    expect(await create.isDisabled()).toBe(true);
    await password.fill('not my password');
    await create.click();
    await dialog
      .getByRole('alert')
      .getByText(/is wrong/)
      .waitFor();
    browser.expectComplaint(/status of 400/);
    await password.fill(PASSWORD);
    await create.click();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Rotate cardholder app' }).click();
    const rotate = dialog.getByRole('button', { name: 'Create new key' });
    expect(await rotate.isDisabled()).toBe(true);
    await password.fill(PASSWORD);
    await rotate.click();
    await dialog.getByText(/^emboss_sandbox_merchant_/).waitFor();
  });
});
