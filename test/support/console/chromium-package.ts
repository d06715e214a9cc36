import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { ROOT } from '../scripts/sources.ts';
import type { Chromium } from './chromium.ts';

/**
 * An npm package with a headless Chromium and the few libraries that it needs inside. It is no dependency of ours: 70 MB
 * are too much for a need of few, it contains a binary for Linux on x64 only (none in the registry contains one for
 * arm64), and its own code requires a newer Node than we do. We use only its files.
 */
const PACKAGE = '@sparticuz/chromium@153.0.0';
const SHA512 = 'jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==';
/** In a directory that a new `npm ci` may delete. */
const HOME = join(ROOT, 'node_modules', '.cache', 'emboss-chromium-153.0.0');

/** Gets the package from the registry, once; undefined if it cannot run or cannot be downloaded. */
export async function unpackChromium(say: (text: string) => void): Promise<Chromium | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  try {
    if (!existsSync(HOME)) await fetchAndUnpack(say);
  } catch (error) {
    say(`${PACKAGE} is not to be had: ${(error as Error).message}`);
    return;
  }
  const env = {
    LD_LIBRARY_PATH: [join(HOME, 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
    ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(HOME, 'fonts.conf') }),
  };
  return { path: join(HOME, 'chromium'), env };
}

/** Written to a temporary path and then renamed, so that an interrupted run leaves no incomplete file. */
async function fetchAndUnpack(say: (text: string) => void): Promise<void> {
  say(`fetching ${PACKAGE}, 70 MB (once)…`);
  mkdirSync(join(HOME, '..'), { recursive: true });
  const draft = mkdtempSync(`${HOME}-`);
  try {
    const packed = execFileSync('npm', ['pack', PACKAGE, '--silent', '--pack-destination', draft], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const archive = join(draft, packed.trim());
    const digest = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (digest !== SHA512) throw new Error('the package is not the one we know');
    execFileSync('tar', ['-xzf', archive, '-C', draft, '--strip-components=2', 'package/bin']);
    rmSync(archive);
    await inflate(join(draft, 'chromium.br'), join(draft, 'chromium'));
    chmodSync(join(draft, 'chromium'), 0o755);
    for (const name of ['al2023', 'swiftshader', 'fonts']) {
      await inflate(join(draft, `${name}.tar.br`), join(draft, `${name}.tar`));
      execFileSync('tar', ['-xf', join(draft, `${name}.tar`), '-C', draft]);
      rmSync(join(draft, `${name}.tar`));
    }
    // Its own list of fonts has other directories.
    await writeFile(
      join(draft, 'fonts.conf'),
      `<fontconfig><dir>${join(HOME, 'fonts')}</dir></fontconfig>\n`,
    );
    renameSync(draft, HOME);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function inflate(from: string, to: string): Promise<void> {
  await writeFile(to, await promisify(brotliDecompress)(readFileSync(from)));
  rmSync(from);
}
