import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { CDPSession, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { publicIdOf, readPublicId } from '../../src/cards/reveal/public-id.ts';
import { credentialsOf, type RevealedCredentials } from '../support/cards/card-states.ts';
import { createCard } from '../support/cards/cards.ts';
import { type OpenSession, openSession, requestSession, spendSession } from '../support/cards/reveal.ts';
import { accessibilityFindings, describeInBrowser, type TestBrowser } from '../support/console/browser.ts';
import { sql } from '../support/database/database.ts';
import { SOON } from '../support/scripts/soon.ts';
import { ROOT } from '../support/scripts/sources.ts';
import { freePort } from '../support/server/free-port.ts';
import { memoryLog } from '../support/server/memory-log.ts';
import { find, type Needle, numberNeedles, textNeedle } from '../support/server/scan.ts';
import { startTestApp, type TestApp } from '../support/server/test-app.ts';

const log = memoryLog('trace');
let app: TestApp;
let cardId: string;
let card: RevealedCredentials;
/** The merchant's web app: the example, on another site than Emboss. */
let example: ChildProcess;
let merchantUrl: string;
/** The host of `REVEAL_URL`: a proxy that passes on `/reveal/` only. */
let revealHost: Server;
let revealUrl: string;
/** Any page of any origin. */
let elsewhere: Server;
let otherOrigin: string;

const urlOf = (server: Server, host: string) => `http://${host}:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  revealHost = createServer((request, response) => {
    const { method, headers, url: path = '' } = request;
    if (!path.startsWith('/reveal/')) return response.writeHead(404).end();
    const passed = forward(`${app.url}${path}`, { method, headers }, (answer) =>
      answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers)),
    );
    return request.pipe(passed);
  });
  await once(revealHost.listen(0, '127.0.0.1'), 'listening');
  revealUrl = urlOf(revealHost, '127.0.0.1');
  app = await startTestApp({ revealUrl, logger: log.logger });
  cardId = (await createCard(app)).id;
  card = await credentialsOf(app, cardId);
  const port = await freePort();
  merchantUrl = `http://localhost:${port}`;
  const { key } = await app.addKey(app.program.id, ['reveal']);
  let printed = '';
  example = spawn(process.execPath, [join(ROOT, 'examples/reveal/server.mjs')], {
    env: {
      CARD_ID: cardId,
      PORT: String(port),
      EMBOSS_URL: app.url,
      REVEAL_URL: revealUrl,
      EMBOSS_SANDBOX_API_KEY: key,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  example.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await vi.waitFor(() => expect(printed).toContain('listening on '), SOON);
  elsewhere = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><html lang="en"><title>elsewhere</title><link rel="icon" href="data:,">'),
  );
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  otherOrigin = urlOf(elsewhere, 'localhost');
});
afterAll(async () => {
  example.kill();
  await once(example, 'exit');
  elsewhere.close();
  revealHost.close();
  await app.close();
});

const openPage = (browser: TestBrowser): Promise<Page> =>
  browser.open({ baseURL: merchantUrl, alsoAt: [revealUrl, otherOrigin] });

/** The frame of the reveal page, once its script has ended or shows values. */
async function revealFrame(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('iframe');
  const frame = await vi.waitFor(async () => {
    const found = await element.contentFrame();
    expect(found?.url()).toMatch(/\/reveal\//);
    return found as Frame;
  }, SOON);
  await frame.waitForSelector('#status:not(:has-text("Loading"))');
  return frame;
}

const COLLECT_MESSAGES = `{
  globalThis.messages = [];
  addEventListener('message', ({ data }) => messages.push(data));
}`;

/** Frames an address in the page, and collects what it says to it. */
async function embed(
  page: Page,
  src: string,
  attributes: object = { allow: 'clipboard-write' },
): Promise<void> {
  await page.evaluate(COLLECT_MESSAGES);
  const frame = `Object.assign(document.createElement('iframe'), ${JSON.stringify({ ...attributes, src })})`;
  await page.evaluate(`document.body.append(${frame})`);
}
const messagesTo = (page: Page) => page.evaluate<unknown[]>('messages');

const addressOf = ({ url, verifier }: OpenSession): string => `${url}#${verifier}`;
const grouped = (): string => card.cardNumber.replace(/(.{4})(?!$)/g, '$1 ');
const secrets = (): Needle[] => [
  ...numberNeedles('number', card.cardNumber),
  textNeedle('groups', grouped()),
];

async function heapOf(session: CDPSession): Promise<string> {
  let text = '';
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    text += chunk;
  });
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  return text;
}

/** Chromium allows a frame of another site none. */
const sessionStorageOf = (frame: Page | Frame) =>
  frame.evaluate<object>('({ ...sessionStorage })').catch((error: Error) => error.message);

/** Nothing has to be scrolled, in either direction. */
const fits = (frame: Frame) =>
  vi.waitFor(
    async () =>
      expect(
        await frame.evaluate(`(({ scrollWidth, scrollHeight }) =>
          [scrollWidth <= innerWidth, scrollHeight <= innerHeight])(document.documentElement)`),
      ).toEqual([true, true]),
    SOON,
  );

const NO_VALUES = { rows: 0, status: 'The card details are hidden.' };
const stateOf = async (frame: Page | Frame) => ({
  rows: await frame.locator('#values > *').count(),
  status: await frame.locator('#status').textContent(),
});

describeInBrowser('the example, on two origins', (browser) => {
  test('shows the number to the cardholder, and to nothing else of the merchant', async () => {
    const page = await openPage(browser);
    const seen: string[] = [];
    page.context().on('request', async (request) => {
      seen.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(await request.allHeaders())}`);
    });
    await page.goto('/');
    // The page keeps all messages, so that its heap contains them.
    await page.evaluate(COLLECT_MESSAGES);
    await page.click('#show');
    const frame = await revealFrame(page);
    expect(await frame.locator('.value').allTextContents()).toEqual([
      grouped(),
      `${card.expiryDate.slice(5, 7)}/${card.expiryDate.slice(2, 4)}`,
      card.cvv,
    ]);
    // Messages of other windows are not taken for the frame's.
    await page.evaluate(`postMessage({ source: 'emboss', event: 'hidden' }, '*')`);
    expect(await page.textContent('#events')).toBe(' ready shown');
    // The address has lost the verifier, also in the history of the frame.
    expect(frame.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/reveal\/[\w-]+\/$/);

    const context = page.context();
    const inFrame = await heapOf(await context.newCDPSession(frame));
    expect(find('the frame', inFrame, secrets())).not.toEqual([]);
    const sources = {
      'the heap of the merchant’s page': await heapOf(await context.newCDPSession(page)),
      'the merchant’s document': await page.content(),
      'storage and cookies': JSON.stringify(await context.storageState({ indexedDB: true })),
      'session storage': JSON.stringify(await Promise.all([page, frame].map(sessionStorageOf))),
      caches: JSON.stringify(await page.evaluate('caches.keys()')),
      requests: seen.join('\n'),
      'the history': JSON.stringify(
        await (await context.newCDPSession(page)).send('Page.getNavigationHistory'),
      ),
      'the server’s log': log.text,
    };
    expect(Object.entries(sources).flatMap(([source, text]) => find(source, text, secrets()))).toEqual([]);
    const sentToEmboss = seen.filter((line) => line.startsWith(revealUrl));
    // The page, its font and the values.
    expect(sentToEmboss).toHaveLength(3);
    expect(sentToEmboss.join('\n')).not.toMatch(/"(referer|cookie)"/i);
    // Chromium gives a page of another site a process of its own: the first heap is not simply empty.
    expect(sources['the heap of the merchant’s page']).toContain('mountReveal');
    // The values leave the frame's memory with its document.
    await frame.click('#hide');
    expect(await stateOf(frame)).toEqual(NO_VALUES);
    const afterwards = await heapOf(await context.newCDPSession(frame));
    expect(afterwards).toContain('The card details are hidden.');
    expect(find('the frame afterwards', afterwards, secrets())).toEqual([]);
    await page.click('#close');
    expect(await page.locator('iframe').count()).toBe(0);
  });

  test('shows why there is no session, without a wait', async () => {
    browser.expectComplaint(/status of 429/);
    const page = await openPage(browser);
    await page.goto('/');
    for (let open = 0; open < 5; open++) await openSession(app, cardId);
    await page.click('#show');
    await page.waitForSelector('#message:text-matches("^Too many attempts; try again in \\\\d+ s$")');
    expect(await page.textContent('#events')).toBe(' failed');
    await sql(app.databaseUrl, 'delete from reveal_sessions where card_id = $1', [cardId]);
  });

  test('works with the keyboard, a screen reader, 280 pixels, light and dark', async () => {
    const page = await openPage(browser);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width: 280, height: 600 });
    await page.goto('/');
    await page.click('#show');
    const frame = await revealFrame(page);
    await fits(frame);
    const tree = await frame.locator('main').ariaSnapshot();
    const spoken = (card.cardNumber.match(/.{4}/g) ?? []).map((group) => [...group].join(' ')).join(', ');
    expect(tree).toContain(`text: ${spoken}\n`);
    await frame.locator('button').first().focus();
    expect(await frame.evaluate('document.activeElement.ariaLabel')).toBe('Copy card number');
    await page.keyboard.press('Enter');
    await frame.waitForSelector('#status:has-text("Card number copied.")');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(card.cardNumber);
    expect(await page.textContent('#events')).toBe(' ready shown copied:number');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await frame.evaluate('document.activeElement.id')).toBe('hide');
    await page.keyboard.press('Enter');
    expect(await stateOf(frame)).toEqual(NO_VALUES);
    expect(await page.textContent('#events')).toMatch(/ hidden$/);
  });
});

describeInBrowser('mountReveal', (browser) => {
  /** Mounts with what `createSession` evaluates to, and collects the events with their causes. */
  const mount = (page: Page, createSession: string) =>
    page.evaluate(`import('/emboss.js').then(({ mountReveal }) => {
      globalThis.events = [];
      globalThis.reveal = mountReveal(document.getElementById('card'), async (input) => (${createSession}),
        ({ event, cause }) => events.push(cause ? event + ': ' + cause.message : event));
    })`);
  const eventsOf = (page: Page) => page.evaluate<string[]>('events');
  const frames = (page: Page) => page.locator('iframe').count();

  test('fits the frame to every size of the page', async () => {
    const page = await openPage(browser);
    await page.setViewportSize({ width: 280, height: 600 });
    const theme = { size: 'large', font: 'mono' };
    await page.exposeFunction(
      'createSession',
      async ({ challenge, origin }: { challenge: string; origin: string }) => {
        return (await requestSession(app, cardId, { challenge, origin, theme })).body;
      },
    );
    await page.goto('/');
    await mount(page, 'createSession(input)');
    const frame = await revealFrame(page);
    await fits(frame);
    const heightPx = () => page.evaluate<number>('document.querySelector("iframe").clientHeight');
    const shownPx = await heightPx();
    await frame.click('#hide');
    await vi.waitFor(async () => expect(await heightPx()).toBeLessThan(shownPx / 2), SOON);
  });

  test('fails with a clear error without a usable session', async () => {
    const page = await openPage(browser);
    await page.goto('/');
    for (const answer of [
      '{}',
      'undefined',
      `{ message: 'no' }`,
      `{ url: '/reveal/' }`,
      `{ url: 'javascript:1' }`,
    ]) {
      await mount(page, answer);
      await vi.waitFor(
        async () =>
          expect(await eventsOf(page)).toEqual([
            'failed: createSession: must return {url}, the address of a reveal session',
          ]),
        SOON,
      );
      expect(await frames(page)).toBe(0);
    }
  });

  test('fails if the page does not load, and mounts nothing after destroy', async () => {
    browser.expectComplaint(/frame-ancestors/);
    browser.expectComplaint(/net::ERR_BLOCKED_BY_RESPONSE$/);
    const page = await openPage(browser);
    await page.clock.install();
    await page.goto('/');
    // From here on time passes only where the test says so.
    await page.clock.pauseAt(Date.now() + 60_000);
    // The page refuses the frame: the session is for another origin.
    const { url } = await openSession(app, cardId, { origin: otherOrigin });
    await mount(page, JSON.stringify({ url }));
    await page.waitForSelector('iframe');
    await page.clock.runFor(9_000);
    expect(await eventsOf(page)).toEqual([]);
    await page.clock.runFor(1_000);
    expect(await eventsOf(page)).toEqual([
      'failed: The reveal page did not load within 10 s: check the origin of the session, frame-src and the connection',
    ]);
    expect(await frames(page)).toBe(0);

    await mount(page, 'new Promise((resolve) => { globalThis.answer = resolve; })');
    await page.waitForFunction('globalThis.answer');
    await page.evaluate(`reveal.destroy(), answer(${JSON.stringify({ url })})`);
    await page.clock.runFor(11_000);
    expect([await frames(page), await eventsOf(page)]).toEqual([0, []]);
  });
});

describeInBrowser('the reveal page', (browser) => {
  const newSession = (changes: object) => openSession(app, cardId, changes);

  test('is accessible in light and dark, and in a theme', async () => {
    const page = await openPage(browser);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(addressOf(await newSession({ origin: null })));
      await page.waitForSelector('.value');
      expect(await accessibilityFindings(page)).toEqual([]);
    }
    const theme = { background: '#102030', text: '#fefefe', accent: '#ff8800', size: 'large', font: 'mono' };
    await page.goto('about:blank');
    await page.goto(addressOf(await newSession({ origin: null, theme, fields: ['number'] })));
    await page.waitForSelector('.value');
    const look = await page.evaluate(`(({ backgroundColor, color, fontSize, fontFamily }) =>
      ({ backgroundColor, color, fontSize, fontFamily }))(getComputedStyle(document.body))`);
    expect(look).toEqual({
      backgroundColor: 'rgb(16, 32, 48)',
      color: 'rgb(254, 254, 254)',
      fontSize: '20px',
      fontFamily: 'ui-monospace, monospace',
    });
    expect(await page.locator('dt').allTextContents()).toEqual(['Card number']);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.value').isVisible()).toBe(false);
  });

  test('hides the values when the time is over, when it is hidden and when it is left', async () => {
    const page = await openPage(browser);
    await page.clock.install();
    const show = async () => {
      await page.goto('about:blank');
      await page.goto(addressOf(await newSession({ origin: null, displaySeconds: 10 })));
      await page.waitForSelector('.value');
    };
    await show();
    await page.clock.runFor(9_500);
    expect((await stateOf(page)).rows).toBe(3);
    await page.clock.runFor(1_000);
    expect(await stateOf(page)).toEqual(NO_VALUES);
    await show();
    await page.evaluate(`{
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    }`);
    expect(await stateOf(page)).toEqual(NO_VALUES);
    await show();
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide'))`);
    expect(await stateOf(page)).toEqual(NO_VALUES);
    // Going back loads the page again, without verifier and values.
    await show();
    await page.goto(otherOrigin);
    await page.goBack();
    expect(await stateOf(page)).toMatchObject({ rows: 0, status: expect.stringMatching(/cannot be shown/) });
  });

  test('does not use the session while it is not visible', async () => {
    const page = await openPage(browser);
    await page.addInitScript(`{
      let state = 'hidden';
      Object.defineProperty(document, 'visibilityState', { get: () => state });
      addEventListener('look', () => {
        state = 'visible';
        document.dispatchEvent(new Event('visibilitychange'));
      });
    }`);
    await page.goto(addressOf(await newSession({ origin: null })));
    expect(await stateOf(page)).toEqual({ rows: 0, status: 'Loading…' });
    await page.evaluate(`dispatchEvent(new Event('look'))`);
    await page.waitForSelector('.value');
  });

  test('can be framed by the session’s origin only; a refused frame does not use the session', async () => {
    const page = await openPage(browser);
    browser.expectComplaint(/frame-ancestors/);
    browser.expectComplaint(/\/reveal\/\S+ net::ERR_BLOCKED_BY_RESPONSE$/);
    for (const origin of [merchantUrl, null]) {
      const session = await newSession({ origin });
      await page.goto(otherOrigin);
      await embed(page, addressOf(session));
      await vi.waitFor(() => expect(page.frames()[1]?.url()).toMatch(/^chrome-error:/), SOON);
      expect(await messagesTo(page)).toEqual([]);
      expect((await spendSession(app, session)).status).toBe(200);
    }
    await page.goto(otherOrigin);
    await embed(page, addressOf(await newSession({ origin: otherOrigin })));
    expect((await stateOf(await revealFrame(page))).rows).toBe(3);
  });

  test('copies without the permission of the clipboard, and sends the origin events without values', async () => {
    browser.expectComplaint(/Permissions policy violation: The Clipboard API/);
    const page = await openPage(browser);
    await page.context().grantPermissions(['clipboard-read']);
    await page.goto(otherOrigin);
    const sandbox = 'allow-scripts allow-same-origin';
    await embed(page, addressOf(await newSession({ origin: otherOrigin })), { sandbox });
    const frame = await revealFrame(page);
    await frame.click('[aria-label="Copy CVV"]');
    await frame.waitForSelector('#status:has-text("CVV copied.")');
    await page.evaluate('focus()');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(card.cvv);
    expect(await messagesTo(page)).toEqual([
      { source: 'emboss', event: 'ready' },
      { source: 'emboss', event: 'shown', height: expect.any(Number) },
      { source: 'emboss', event: 'copied', field: 'cvv', height: expect.any(Number) },
    ]);
  });

  test('fails in the same way for a wrong verifier, a used session and an unknown id', async () => {
    browser.expectComplaint(/status of 404/);
    const page = await openPage(browser);
    const [wrong, used] = [
      await newSession({ origin: otherOrigin }),
      await newSession({ origin: otherOrigin }),
    ];
    await spendSession(app, used);
    const id = publicIdOf({ ...readPublicId(used.id), id: readPublicId(wrong.id).programId });
    for (const session of [
      { ...wrong, verifier: used.verifier },
      used,
      { ...used, url: `${revealUrl}/reveal/${id}/` },
    ]) {
      await page.goto(otherOrigin);
      await embed(page, addressOf(session));
      expect(await stateOf(await revealFrame(page))).toEqual({
        rows: 0,
        status: 'The card details cannot be shown. Request them again in the app.',
      });
      expect(await messagesTo(page)).toEqual([
        { source: 'emboss', event: 'ready' },
        { source: 'emboss', event: 'failed', height: expect.any(Number) },
      ]);
    }
  });
});
