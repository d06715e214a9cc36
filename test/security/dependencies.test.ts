import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockedPackages } from '../../tools/licences.ts';
import { ROOT } from '../support/sources.ts';

/** What may be shipped with the server under its own licence. */
const SHIPPED = [
  'MIT',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'BlueOak-1.0.0',
  '0BSD',
  '(MIT OR CC0-1.0)',
];
/** What may be used beside that to build and test it, and is not shipped. */
const USED = [...SHIPPED, 'MIT OR Apache-2.0', 'MPL-2.0', 'Unlicense'];

const packages = lockedPackages();
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe('dependencies', () => {
  test('are under licences that may be used, every single one', () => {
    expect(packages.length).toBeGreaterThan(400);
    const wrong = packages.filter(
      ({ licence, isDevelopment }) => !(isDevelopment ? USED : SHIPPED).includes(licence),
    );
    expect(wrong.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
  });

  test('run nothing when they are installed, and those that would are named', () => {
    const wouldRun = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(Object.keys(manifest.allowScripts).sort()).toEqual([...new Set(wouldRun)].sort());
    expect(Object.values(manifest.allowScripts).filter(Boolean)).toEqual([]);
  });

  test('come with a digest each: what is downloaded is what was locked', () => {
    const { packages: locked } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    const entries = Object.entries(
      locked as Record<string, { link?: boolean; integrity?: string; inBundle?: boolean }>,
    );
    const foreign = entries.filter(
      ([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle,
    );
    expect(foreign.length).toBeGreaterThan(400);
    expect(
      foreign.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([path]) => path),
    ).toEqual([]);
  });
});
