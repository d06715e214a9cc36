import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../support/console/chromium.ts';
import { runScript } from '../support/scripts/script-run.ts';
import { ROOT } from '../support/scripts/sources.ts';
import { freePort } from '../support/server/free-port.ts';

/**
 * The pictures of the README, of a demo that is made for them: `npm run pictures`. They are written to `docs/images/` as
 * WebP, which Chromium encodes.
 */
const SIZE = { width: 1280, height: 800 };
const SCALE = 2;
const QUALITY = 0.85;
const EMBOSS = join(ROOT, 'bin/emboss.mjs');
const FOLDER = join(ROOT, 'docs/images');
const say = (text: string): void => void process.stderr.write(`pictures: ${text}\n`);

interface Demo {
  program: { id: string };
  key: string;
  sandbox: { operator: { email: string; password: string } };
}

/** What is seen on each. The fourth customer of the demo has limits, so that there are declines to explain. */
const PICTURES: Record<string, (page: Page, demo: Demo) => Promise<unknown>> = {
  console: async (page, { program }) => {
    await page.goto(`/console/programs/${program.id}`);
    await page
      .getByRole('img', { name: /days before/ })
      .first()
      .waitFor();
  },
  card: async (page, { program, key }) => {
    await page.goto(`/console/programs/${program.id}/cards/${await cardOf(page, key, 'demo-customer-4')}`);
    await page.getByRole('tab', { name: 'Transactions' }).waitFor();
  },
};

await runScript(async (keep) => {
  const found = await findChromium(say);
  if (!found) throw new Error('There is no Chromium; CHROMIUM_PATH can name one');
  const directory = await keep(
    () => mkdtempSync(join(tmpdir(), 'emboss-pictures-')),
    (made) => rmSync(made, { recursive: true, force: true }),
  );
  const port = await freePort();
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    PORT: String(port),
    DATA_DIR: directory,
  };
  say('making a demo, for a minute or two…');
  const { stdout } = await promisify(execFile)(process.execPath, [EMBOSS, 'demo', '--json'], { env });
  const demo: Demo = JSON.parse(stdout);
  await keep(() => start(env), stop);
  const browser = await keep(
    () => chromium.launch({ executablePath: found.path, env: found.env }),
    (launched) => launched.close(),
  );
  const context = await browser.newContext({
    baseURL: `http://127.0.0.1:${port}`,
    viewport: SIZE,
    deviceScaleFactor: SCALE,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  await signIn(context, demo);
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, show] of Object.entries(PICTURES)) {
    const page = await context.newPage();
    await show(page, demo);
    await page.waitForLoadState('networkidle');
    const bytes = await toWebp(context, await page.screenshot());
    writeFileSync(join(FOLDER, `${name}.webp`), bytes);
    say(`docs/images/${name}.webp, ${Math.round(bytes.length / 1_000)} kB`);
  }
  return 0;
});

async function cardOf({ request }: Page, key: string, customer: string): Promise<string> {
  for (let page = 1; ; page++) {
    const list = `/api/v1/merchant/cards/?page_size=100&page=${page}`;
    const { results, next } = await (
      await request.get(list, { headers: { 'x-payments-api-key': key } })
    ).json();
    const found = results.find(
      (card: { externalCustomerId: string }) => card.externalCustomerId === customer,
    );
    if (found) return found.id;
    if (!next) throw new Error(`The demo has no ${customer}`);
  }
}

/** The first password must be changed. */
async function signIn({ request }: BrowserContext, { sandbox: { operator } }: Demo): Promise<void> {
  const newPassword = randomBytes(16).toString('base64url');
  const session = await request.post('/console/api/session/', { data: operator });
  const headers = { 'x-csrf-token': (await session.json()).csrfToken };
  const data = { currentPassword: operator.password, newPassword };
  const changed = await request.put('/console/api/session/password/', { data, headers });
  if (!changed.ok()) throw new Error(await changed.text());
}

async function start(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const server = spawn(process.execPath, [EMBOSS, 'start'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const text of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false }))
    if (/^ready /m.test(text)) return server;
  throw new Error('The server did not start');
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  server.kill();
  await once(server, 'exit');
}

async function toWebp(context: BrowserContext, png: Buffer): Promise<Buffer> {
  const page = await context.newPage();
  const base64 = await page.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: ${QUALITY} });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  })()`);
  await page.close();
  return Buffer.from(base64, 'base64');
}
