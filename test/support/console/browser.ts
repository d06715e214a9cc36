import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import type { Chromium } from './chromium.ts';

/** A slow machine is no failure; yet a click that cannot happen should say so before the test's own limit does. */
const STEP_LIMIT_MS = 40_000;
const TEST_LIMIT_MS = 120_000;

export interface PageOptions {
  /** Where the page may go; anything else is foreign. */
  baseURL: string;
  /** Other servers where it may go too. */
  alsoAt?: readonly string[];
  /** Tests that name the same one share a page, with its cookies, storage and what was loaded; else a page is closed after its test. */
  context?: string | undefined;
}

export interface TestBrowser {
  open(options: PageOptions): Promise<Page>;
  /** Something that the test provokes, such as the line Chromium writes for a 401. It has to come. */
  expectComplaint(pattern: RegExp): void;
}

/** One for all files of a worker, with whose process it ends. */
let launched: Promise<Browser> | undefined;

const launch = (found: Chromium | null): Promise<Browser> =>
  chromium.launch({
    executablePath: found?.path ?? '',
    env: { ...(process.env as Record<string, string>), ...found?.env },
    args: QUIET,
    // A worker that is ended does not wait for it.
    handleSIGTERM: false,
  });

/**
 * `describe` for tests that need a browser. Whatever goes wrong in a page fails the test: errors on the console, scripts
 * that throw, requests that fail or go to another host, what the content security policy forbade.
 */
export function describeInBrowser(name: string, body: (browser: TestBrowser) => void): void {
  const found = inject('chromium');
  describe.skipIf(found === null)(name, { timeout: TEST_LIMIT_MS }, () => {
    let browser: Browser;
    let contexts: BrowserContext[] = [];
    const shared = new Map<string, BrowserContext>();
    let complaints: string[] = [];
    let expected: RegExp[] = [];

    beforeAll(async () => {
      launched ??= launch(found);
      browser = await launched;
    });
    afterAll(() => Promise.all([...shared.values()].map((context) => context.close())));
    afterEach(async () => {
      await Promise.all(contexts.map((context) => context.close()));
      for (const context of shared.values()) await tidy(context);
      const unexpected = complaints.filter((complaint) => !expected.some((known) => known.test(complaint)));
      const missing = expected.filter((known) => !complaints.some((complaint) => known.test(complaint)));
      [contexts, complaints, expected] = [[], [], []];
      expect({ unexpected, missing }).toEqual({ unexpected: [], missing: [] });
    });

    body({
      open: async (options) => {
        const known = shared.get(options.context ?? '');
        if (known) return known.pages()[0] ?? known.newPage();
        const context = await newContext(browser, options);
        if (options.context) shared.set(options.context, context);
        else contexts.push(context);
        await listen(context, [options.baseURL, ...(options.alsoAt ?? [])], (complaint) =>
          complaints.push(complaint),
        );
        return context.newPage();
      },
      expectComplaint: (pattern) => expected.push(pattern),
    });
  });
}

/**
 * Chromium talks to nobody but the server under test, also where a page would like to. Playwright itself leaves the
 * sandbox off, which root needs and which is no loss where only our own pages are shown.
 */
const QUIET = [
  '--disable-gpu',
  // A page of another site has a process of its own, as in every Chromium with a window.
  '--site-per-process',
  // Pages of the same site share one, and none is started in advance.
  '--renderer-process-limit=1',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** Runs in the page, where nothing of ours is known. */
const TELL_OF_POLICY = `addEventListener('securitypolicyviolation', (event) =>
  console.error('content policy: ' + event.violatedDirective + ' forbids ' + event.blockedURI));`;

const VIEWPORT = { width: 1440, height: 900 };

async function newContext(browser: Browser, options: PageOptions): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: options.baseURL,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    // Neither UTC nor ahead of it: a UTC day that is shown in the wrong zone is the day before.
    timezoneId: 'America/New_York',
    viewport: VIEWPORT,
  });
  context.setDefaultTimeout(STEP_LIMIT_MS);
  return context;
}

/** Leaves one page, as a new one would be but for what it shows. */
async function tidy(context: BrowserContext): Promise<void> {
  const [page, ...others] = context.pages();
  await Promise.all(others.map((other) => other.close()));
  await page?.unrouteAll();
  await page?.setViewportSize(VIEWPORT);
  await page?.emulateMedia({ colorScheme: 'light' });
}

async function listen(
  context: BrowserContext,
  baseURLs: readonly string[],
  complain: (text: string) => void,
): Promise<void> {
  const hosts = baseURLs.map((url) => new URL(url).host);
  const isOurs = (url: string) => !/^(?:https?|wss?):/.test(url) || hosts.includes(new URL(url).host);
  context.on('console', (message) => {
    if (message.type() === 'error') complain(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (thrown) => complain(`thrown: ${thrown.error().stack ?? thrown.error().message}`));
  context.on('request', (request) => {
    if (!isOurs(request.url())) complain(`foreign: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    // A page that is left takes back what it had asked for.
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') complain(`failed: ${request.method()} ${request.url()} ${reason}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 500) complain(`answer: ${response.status()} ${response.url()}`);
  });
  await context.addInitScript({ content: TELL_OF_POLICY });
}

/** Chooses in a select of the console. */
export async function choose(within: Page | Locator, name: string, option: string): Promise<void> {
  const field = within.getByRole('combobox', { name });
  await field.click();
  await field.page().getByRole('option', { name: option, exact: true }).click();
}

/** Half of the text that the package itself puts into a page, which each loaded document reads again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe calls serious or critical, with the elements: in the page or in a part of it, by all rules or by some. */
export async function accessibilityFindings(
  page: Page,
  { within = 'html', rules }: { within?: string; rules?: string[] } = {},
): Promise<string[]> {
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  // A page keeps axe until it loads another document.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const violations = await page.evaluate<axe.Result[]>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
    );
}

/** Words of more letters than this may be broken, and URLs: they are ids, addresses and keys. */
const LONGEST_WORD = 24;
const BROKEN_WORDS = `(() => {
  const broken = [];
  const range = document.createRange();
  const texts = document.createTreeWalker(document.querySelector('[role="dialog"]') ?? document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!text.parentElement.checkVisibility({ visibilityProperty: true })) continue;
    for (const { 0: word, index } of text.data.replace(/\\S+:\\/\\/\\S+/g, (url) => ' '.repeat(url.length)).matchAll(/[^\\s\\-–—/…]+/g)) {
      if (word.length > ${LONGEST_WORD}) continue;
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const tops = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => top);
      if (Math.max(...tops) - Math.min(...tops) > 4) broken.push('broken: ' + word);
    }
  }
  return broken;
})()`;

/** Words of the dialog or of the page that are broken inside. */
export const brokenWords = (page: Page): Promise<string[]> => page.evaluate(BROKEN_WORDS);
