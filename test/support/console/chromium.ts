import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium as playwright } from 'playwright-core';
import { unpackChromium } from './chromium-package.ts';

/** A browser that was seen to start. */
export interface Chromium {
  path: string;
  /** What it needs in its environment beside our own. */
  env: Record<string, string>;
}

/** The headless shell first: the same browser without a window needs a third less of the CPU. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PATHS = [
  ...NAMES.map((name) => join('/usr/bin', name)),
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/opt/homebrew/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The Chromium to test with: the one that CHROMIUM_PATH names, one that is installed, one out of an npm package, one
 * that apt installs for root. Undefined when none of these works; `say` reports what takes long.
 */
export async function findChromium(say: (text: string) => void): Promise<Chromium | undefined> {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) return demand(chosen);
  return findInstalled() ?? (await fromPackage(say)) ?? fromApt(say);
}

/** A path that a person chose is never replaced by another. */
function demand(path: string): Chromium {
  if (starts({ path, env: {} })) return { path, env: {} };
  throw new Error(`CHROMIUM_PATH is ${path}, which is no Chromium that starts`);
}

function findInstalled(): Chromium | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...onPath, ...PATHS, playwright.executablePath()].map((path) => ({ path, env: {} })).find(starts);
}

async function fromPackage(say: (text: string) => void): Promise<Chromium | undefined> {
  const unpacked = await unpackChromium(say);
  return unpacked && starts(unpacked) ? unpacked : undefined;
}

function fromApt(say: (text: string) => void): Chromium | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  say('installing Chromium with apt-get (once)…');
  const apt = (...args: string[]) =>
    execFileSync('/usr/bin/apt-get', ['-qq', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      // What it writes is for people; stdout belongs to the reporter.
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  try {
    apt('update');
    apt('install', '-y', '--no-install-recommends', SHELL);
  } catch (error) {
    say(`apt-get did not install Chromium: ${(error as Error).message}`);
    return;
  }
  return findInstalled();
}

/** Some distributions have a script under this name that only says where to get the browser: it fails with `--version`. */
function starts({ path, env }: Chromium): boolean {
  if (!existsSync(path)) return false;
  const { status, stdout } = spawnSync(path, ['--version', '--no-sandbox'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return status === 0 && /chrom/i.test(stdout);
}
