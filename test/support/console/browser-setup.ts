import type { TestProject } from 'vitest/node';
import { isNeeded } from '../scripts/projects.ts';
import { type Chromium, findChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Null: there is none, and the browser tests are skipped. */
    chromium: Chromium | null;
  }
}

const HOW_TO_GET_ONE =
  'Install chromium or google-chrome (Debian: apt-get install chromium), or name one with CHROMIUM_PATH.';

const say = (text: string): void => {
  process.stderr.write(`browser tests: ${text}\n`);
};

/** Looks for a Chromium once per run. */
export default async function setup(project: TestProject): Promise<(() => void) | undefined> {
  if (!isNeeded(project, 'chromium')) return;
  const chromium = await findChromium(say);
  project.provide('chromium', chromium ?? null);
  if (chromium) return;
  if (isCi()) throw new Error(`There is no Chromium, and CI leaves no test out. ${HOW_TO_GET_ONE}`);
  // A teardown runs after the summary: it is the last thing that a person reads.
  return () => say(LEFT_OUT);
}

/** Every CI sets it; .ci/run does too. */
const isCi = (): boolean => !['', '0', 'false'].includes(process.env['CI'] ?? '');

const LINE = '!'.repeat(100);
const LEFT_OUT = `\n${LINE}\n!! NOT EVERYTHING WAS TESTED: no Chromium was found, so the browser tests were left out.\n!! ${HOW_TO_GET_ONE}\n${LINE}`;
