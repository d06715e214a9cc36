import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { BrowserContext, Page } from 'playwright-core';
import type { Role } from '../../../src/programs/access.ts';
import { startWorker } from '../../../src/worker.ts';
import { CARDS, consumerCard } from '../cards/cards.ts';
import { freePort } from '../server/free-port.ts';
import { type RequestOptions, startTestApp, type TestApp, type TestAppOptions } from '../server/test-app.ts';
import type { PageOptions, TestBrowser } from './browser.ts';
import { addTestOperator, type SignedIn, signInAs } from './operators.ts';

type Cookie = Parameters<BrowserContext['addCookies']>[0][number];

export interface Person {
  email: string;
  name: string;
  password: string;
}

export interface ConsoleServer {
  url: string;
  programId: string;
  /** With it a command runs on the same database. */
  env: Record<string, string>;
  /** An address of the program's pages. */
  at(path: string): string;
  /** The merchant's and the sandbox's API with the merchant's key; what is refused fails the test. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  call(method: string, path: string, body?: object): Promise<any>;
  addCard(changes?: Record<string, unknown>): Promise<{ id: string; lastFour: string }>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  swipe(cardId: string, amount: string, more?: object): Promise<any>;
  /** The console's API as the person with this role whom `signIn` signs in. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  callAs(role: Role, method: string, path: string, body?: object): Promise<any>;
  /** `isGiven`: with a password that has to be changed first. */
  addOperator(role: Role, name: string, isGiven?: boolean): Promise<Person>;
  /** The page of somebody with this role, who is signed in. */
  signIn(browser: TestBrowser, role: Role, options?: Pick<PageOptions, 'context'>): Promise<Page>;
  /** Opens an address of the program's pages in a page of `signIn`. A page that shows one already does not load the console again. */
  show(page: Page, path: string): Promise<void>;
  /** Stops the server; what is returned starts it again on the same port and database. */
  stop(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** API, console and worker on a database of their own, for a browser. */
export async function startConsoleServer(
  options: Pick<TestAppOptions, 'openId' | 'port'> = {},
): Promise<ConsoleServer> {
  const settings = { port: await freePort(), masterKey: randomBytes(32).toString('base64'), ...options };
  const app = await startTestApp(settings);
  const runWith = (started: TestApp) => ({
    app: started,
    worker: startWorker(started, pino({ level: 'silent' })),
  });
  let running = runWith(app);
  const stop = async () => {
    await running.worker.stop();
    await running.app.close();
  };
  // Signing in by hand is a test of its own; elsewhere each role signs in once.
  const sessions = new Map<Role, Promise<SignedIn>>();
  const sessionOf = (role: Role): Promise<SignedIn> => {
    const known = sessions.get(role) ?? signInAs(app, role, null, { name: `${NAMES[role]} ${role}` });
    sessions.set(role, known);
    return known;
  };
  const call: ConsoleServer['call'] = async (method, path, body) => {
    const request: RequestOptions = body ? { body } : {};
    const { status, body: answer } = await app.call(method, `/api/v1/${path}`, request);
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const at = (path: string) => `/console/programs/${app.program.id}${path}`;
  return {
    url: app.url,
    programId: app.program.id,
    env: app.env,
    at,
    call,
    addCard: (changes) => call('POST', CARDS.replace('/api/v1/', ''), consumerCard(changes)),
    swipe: (cardId, amount, more) =>
      call('POST', 'sandbox/authorizations/', { card_id: cardId, amount, ...more }),
    callAs: async (role, method, path, body) => {
      const { status, body: answer } = await (await sessionOf(role)).call(method, path, body);
      if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      return answer;
    },
    addOperator: async (role, name, isGiven = false) => {
      const { email, password } = await addTestOperator(app, role, null, { name, isTheirOwn: !isGiven });
      return { email, name, password };
    },
    signIn: async (browser, role, options) => {
      const page = await browser.open({ baseURL: app.url, context: role, ...options });
      await page.context().addCookies([cookieOf(await sessionOf(role))]);
      return page;
    },
    show: async (page, path) => {
      if (!page.url().startsWith(app.url + at(''))) return void (await page.goto(at(path)));
      // By a page that does not exist: what a test finds afterwards is not left from the page before.
      const nothing = page.getByRole('heading', { name: 'Not found' });
      const go = (to: string) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(at(to))})`);
      await go('/nothing');
      await nothing.waitFor();
      await go(path);
      await nothing.waitFor({ state: 'detached' });
    },
    stop: async () => {
      await stop();
      return async () => {
        running = runWith(await startTestApp({ ...settings, databaseUrl: app.databaseUrl }));
      };
    },
    close: stop,
  };
}

function cookieOf({ cookie }: SignedIn): Cookie {
  const [name = '', value = ''] = cookie.split('=');
  return { name, value, domain: '127.0.0.1', path: '/console/api', httpOnly: true, sameSite: 'Strict' };
}

const NAMES: Record<Role, string> = { viewer: 'Vera', support: 'Sam', manager: 'Mia', admin: 'Alma' };
