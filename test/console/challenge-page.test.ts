import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wrongFor } from '../support/authentications/authentications.ts';
import { createCard } from '../support/cards/cards.ts';
import { accessibilityFindings, describeInBrowser } from '../support/console/browser.ts';
import { freePort } from '../support/server/free-port.ts';
import { startTestApp, type TestApp } from '../support/server/test-app.ts';

const SANDBOX = '/api/v1/sandbox/authentications/';
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ port: await freePort() });
});
afterAll(() => app.close());

const begin = async (cardId: string) =>
  (
    await app.call('POST', SANDBOX, {
      body: { card_id: cardId, amount: '40.00', merchant: { name: 'Circuit Barn' } },
    })
  ).body;
const read = async (id: string) => (await app.call('GET', `${SANDBOX}${id}/`)).body;
const enter = async (page: Page, code: string) => {
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Confirm' }).click();
};

describeInBrowser('the challenge page', (browser) => {
  test('takes a code after a wrong one and a new one, on a narrow screen in the dark too', async () => {
    const { id: cardId } = await createCard(app);
    const { id, otp, challenge_url } = await begin(cardId);
    const page = await browser.open({ baseURL: app.url });
    const referrers = new Map<string, Promise<string | null>>();
    page.on('request', (request) =>
      referrers.set(new URL(request.url()).pathname, request.headerValue('referer')),
    );
    await page.setViewportSize({ width: 280, height: 640 });
    await page.goto(challenge_url);
    await page.getByText('Circuit Barn').waitFor();
    await page.getByText('€40.00').waitFor();
    await page.getByText('This page plays the access control server').waitFor();
    await page.getByText('We sent a code to •••123. Attempts left: 3.').waitFor();
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(280);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityFindings(page)).toEqual([]);
    }

    const status = page.getByRole('status');
    await enter(page, '12');
    await status.getByText('The code has 6 digits.').waitFor();
    // Another click while the code is checked costs no other attempt.
    await page.getByLabel('Code').fill(wrongFor(otp));
    await page.getByRole('button', { name: 'Confirm' }).dblclick();
    await status.getByText('The code is wrong. Attempts left: 2.').waitFor();
    expect(await read(id)).toMatchObject({ attempts_left: 2 });
    expect(await page.getByLabel('Code').inputValue()).toBe('');

    await page.getByRole('button', { name: 'Send a new code' }).dblclick();
    await status.getByText('We sent a new code.').waitFor();
    expect(await read(id)).toMatchObject({ sends_left: 1 });
    await page.getByRole('button', { name: 'Send a new code' }).click();
    await page.locator('#resend:disabled').waitFor();
    const { otp: newest } = await read(id);
    expect(newest).not.toBe(otp);
    await enter(page, `${newest.slice(0, 3)} ${newest.slice(3)}`);
    await status.getByText('The payment is confirmed.').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await read(id)).toMatchObject({ status: 'AUTHENTICATED' });
    // The URL grants an answer to the challenge.
    expect([...referrers.keys()]).toContain('/docs/inter.woff2');
    expect(new Set(await Promise.all(referrers.values()))).toEqual(new Set([null]));
  });

  test('waits for the app, and says what came of it; another one is cancelled', async () => {
    const { id: cardId } = await createCard(app);
    const forwarding = `/api/v1/merchant/cards/${cardId}/3ds-forwarding/`;
    await app.call('PUT', forwarding, { body: { enabled: true } });
    for (const [act, words] of [
      ['approve', 'The payment is confirmed.'],
      ['decline', 'The payment was not approved in the app.'],
      ['cancel', 'The payment was cancelled.'],
    ] as const) {
      const { id, challenge_url, otp } = await begin(cardId);
      expect(otp).toBeNull();
      const page = await browser.open({ baseURL: app.url });
      await page.goto(challenge_url);
      await page.getByText('Approve this payment in your app.').waitFor();
      expect(await page.getByLabel('Code').isVisible()).toBe(false);
      if (act === 'cancel') await page.getByRole('button', { name: 'Cancel payment' }).click();
      else {
        const path = `/api/v1/merchant/authentications/${id}/answer/`;
        const answer = await app.call('POST', path, { body: { approve: act === 'approve' } });
        expect(answer.status).toBe(200);
      }
      await page.getByRole('status').getByText(words).waitFor();
    }
  });

  test('says that the server does not respond, and takes it back when it does', async () => {
    const { id: cardId } = await createCard(app);
    const { challenge_url } = await begin(cardId);
    const page = await browser.open({ baseURL: app.url });
    await page.goto(challenge_url);
    await page.getByText('Attempts left: 3.').waitFor();
    browser.expectComplaint(/502/);
    // What a proxy answers while a server is replaced.
    await page.route('**/state/', (route) => route.fulfill({ status: 502, body: '<html>bad gateway' }));
    await page.getByRole('status').getByText('The server does not respond. Try again.').waitFor();
    await page.unroute('**/state/');
    await expect.poll(() => page.getByRole('status').textContent()).toBe('');
  });
});
