import { afterEach, expect, test } from 'vitest';
import { CARDS } from '../support/cards/cards.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { signInAs } from '../support/console/operators.ts';
import { sql } from '../support/database/database.ts';
import { appForTests } from '../support/server/test-app.ts';

/** What the page's scripts see of a browser. */
interface Frame {
  origin: string;
  document: { cookie: string };
  open(url: string): unknown;
}

describeInBrowser('the API reference', (browser) => {
  const app = appForTests();

  const warnings: string[] = [];
  afterEach(() => expect(warnings.splice(0)).toEqual([]));

  async function openDocs(path: string) {
    // The page's library tries what the policy forbids, and does without.
    browser.expectComplaint(/content policy: script-src forbids eval/);
    const page = await browser.open({ baseURL: app.url });
    // The library writes as warnings what it finds wrong in the document.
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    return { page, response: await page.goto(path) };
  }

  test('is linked from the guides and back, shows the operations, loads nothing from other hosts, and can try a call with a key', async () => {
    const { page } = await openDocs('/docs/guides');
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('heading', { name: 'Emboss' }).first().waitFor();
    await page.getByText('/api/v1/merchant/cards/').first().waitFor();
    expect(await page.title()).toContain('Emboss');
    // Examples for what we have, and no list of other languages.
    await page.getByText('curl').filter({ visible: true }).first().waitFor();
    // No key that looks like one, and the console's font and colours, also in the dark.
    expect(await page.getByPlaceholder('Your key').count()).toBeGreaterThan(0);
    expect(await page.getByText('YOUR_SECRET').count()).toBe(0);
    expect(await page.evaluate(`document.fonts.check('16px "Inter Variable"')`)).toBe(true);
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(background).toBe('rgb(22, 26, 32)');
    expect(await page.getByText(/Ruby|Python|PHP/).count()).toBe(0);
    // The first one creates a card, by the example of the document.
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    const client = page.getByRole('dialog');
    await client.locator('input.scalar-password-input').fill(app.key);
    await client.getByRole('button', { name: /^Send post request/ }).click();
    await client.getByText('"cardholderName"').first().waitFor();
    expect((await app.call('GET', CARDS)).body.count).toBe(1);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('link', { name: 'Guides' }).getAttribute('href')).toBe('/docs/guides');
    await page.getByRole('link', { name: 'webhooks', exact: true }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  });

  test('its scripts can neither read an operator’s session nor use it', async () => {
    const { cookie } = await signInAs(app, 'admin');
    const [name = '', value = ''] = cookie.split('=');
    const { page, response } = await openDocs('/docs');
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toMatch(/^sandbox /);
    expect(policy).toContain("default-src 'none';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toContain('allow-same-origin');
    expect(policy).toMatch(/script-src 'self'( 'sha256-[^ ]+')+;/);
    const url = `${app.url}/console/api/`;
    await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
    for (const refusal of [
      /blocked by CORS policy/,
      /net::ERR_FAILED/,
      /net::ERR_BLOCKED_BY_RESPONSE/,
      /Blocked opening/,
    ])
      browser.expectComplaint(refusal);
    const tried = await page.evaluate(
      async ([session, keys]) => {
        const frame = globalThis as unknown as Frame;
        const outcomeOf = (work: () => unknown) =>
          Promise.resolve()
            .then(work)
            .then(
              (result) => String(result),
              (error: Error) => error.name,
            );
        const send = (path: string | undefined, init: RequestInit) => () =>
          fetch(path as string, { credentials: 'include', ...init }).then((answer) => answer.text());
        const key = { kind: 'merchant', name: 'stolen' };
        return {
          origin: frame.origin,
          read: await outcomeOf(send(session, {})),
          signOut: await outcomeOf(send(session, { method: 'DELETE' })),
          createKey: await outcomeOf(
            send(keys, { method: 'POST', mode: 'no-cors', body: JSON.stringify(key) }),
          ),
          cookies: await outcomeOf(() => frame.document.cookie),
          console: await outcomeOf(() => frame.open('/console/')),
        };
      },
      ['/console/api/session/', `/console/api/programs/${app.program.id}/keys/`],
    );
    expect(tried).toEqual({
      origin: 'null',
      read: 'TypeError',
      signOut: 'TypeError',
      createKey: 'TypeError',
      cookies: 'SecurityError',
      console: 'null',
    });
    const session = await app.call('GET', '/console/api/session/', { key: null, headers: { cookie } });
    expect(session.status).toBe(200);
    expect(await sql(app.databaseUrl, `select from api_keys where name = 'stolen'`)).toEqual([]);
  });
});
