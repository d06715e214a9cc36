import { randomBytes } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { CARDS, consumerCard } from '../cards/cards.ts';
import { freshDatabase } from '../database/database.ts';
import { runCli } from '../server/cli.ts';
import { freePort, MERCHANT_KEY, newDataDir, startServerProcess } from '../server/server-process.ts';
import type { PageOptions, TestBrowser } from './browser.ts';

type Cookie = Parameters<BrowserContext['addCookies']>[0][number];
type Role = 'viewer' | 'support' | 'admin';
export const PASSWORD = 'a password for 9 tests';

export interface Person {
  email: string;
  name: string;
  password: string;
}

export interface ConsoleServer {
  url: string;
  programId: string;
  /** An address of the program's pages. */
  at(path: string): string;
  /** The merchant's and the sandbox's API with the merchant's key; what is refused fails the test. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  call(method: string, path: string, body?: object): Promise<any>;
  addCard(changes?: Record<string, unknown>): Promise<{ id: string; lastFour: string }>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  swipe(cardId: string, amount: string, more?: object): Promise<any>;
  /** `isGiven`: with a password that has to be changed first. */
  addOperator(role: Role, name: string, isGiven?: boolean): Promise<Person>;
  /** A page of somebody with this role, who is signed in. */
  signIn(browser: TestBrowser, role: Role, options?: Omit<PageOptions, 'baseURL'>): Promise<Page>;
}

/** `emboss start` on a database of its own, as the browser of an operator meets it. `endAll` ends it. */
export async function startConsoleServer(): Promise<ConsoleServer> {
  const env = {
    DATABASE_URL: await freshDatabase(),
    EMBOSS_MASTER_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: newDataDir(),
  };
  const { url } = await startServerProcess(await freePort(), env);
  const cli = async (args: string[], stdin = '') => {
    const { code, json, err } = await runCli(env, ['--json', ...args], { stdin: from(stdin) });
    if (code !== 0) throw new Error(`emboss ${args[0]}: ${err}`);
    return json;
  };
  const {
    programs: [program],
  } = await cli(['program', 'list']);
  // Signing in by hand is a test of its own; elsewhere each role signs in once.
  const sessions = new Map<Role, Promise<Cookie>>();
  const openSession = async ({ email, password }: Person): Promise<Cookie> => {
    const response = await fetch(`${url}/console/api/session/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const [, name, value] = /^([^=]+)=([^;]+)/.exec(response.headers.get('set-cookie') ?? '') ?? [];
    if (!name || !value) throw new Error(`signing in was answered ${response.status}`);
    return { name, value, domain: '127.0.0.1', path: '/console/api', httpOnly: true, sameSite: 'Strict' };
  };
  const call: ConsoleServer['call'] = async (method, path, body) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { 'x-payments-api-key': MERCHANT_KEY, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const addOperator: ConsoleServer['addOperator'] = async (role, name, isGiven = false) => {
    const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
    const chosen = ['--password-stdin', ...(isGiven ? [] : ['--own-password'])];
    await cli(['operator', 'add', email, '--name', name, '--role', role, ...chosen], PASSWORD);
    return { email, name, password: PASSWORD };
  };
  return {
    url,
    programId: program.id,
    at: (path) => `/console/programs/${program.id}${path}`,
    call,
    addCard: (changes) => call('POST', CARDS.replace('/api/v1/', ''), consumerCard(changes)),
    swipe: (cardId, amount, more) =>
      call('POST', 'sandbox/authorizations/', { card_id: cardId, amount, ...more }),
    addOperator,
    signIn: async (browser, role, options) => {
      const known = sessions.get(role) ?? addOperator(role, `${NAMES[role]} ${role}`).then(openSession);
      sessions.set(role, known);
      const page = await browser.open({ baseURL: url, ...options });
      await page.context().addCookies([await known]);
      return page;
    },
  };
}

const NAMES: Record<Role, string> = { viewer: 'Vera', support: 'Sam', admin: 'Alma' };

async function* from(text: string): AsyncGenerator<string> {
  yield text;
}
