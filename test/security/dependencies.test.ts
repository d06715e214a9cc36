import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockedPackages } from '../../tools/licences.ts';
import { ROOT } from '../support/scripts/sources.ts';
import { readAudit } from './audit.ts';

/** What may be shipped with the server under its own licence. */
const SHIPPED = [
  'MIT',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'MIT-0',
  'ISC',
  'BlueOak-1.0.0',
  '0BSD',
  '(MIT OR CC0-1.0)',
  // The console's font.
  'OFL-1.1',
  // Public domain.
  'Unlicense',
];
/** What may be used beside that to build and test it, and is not shipped. */
const USED = [...SHIPPED, 'MIT OR Apache-2.0', 'MPL-2.0', 'Python-2.0'];

const packages = lockedPackages();
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe('dependencies', () => {
  test('all have a licence that may be used', () => {
    expect(packages.length).toBeGreaterThan(400);
    const wrong = packages.filter(
      ({ licence, isDevelopment }) => !(isDevelopment ? USED : SHIPPED).includes(licence),
    );
    expect(wrong.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
  });

  test('run no scripts when they are installed, and those with scripts are listed', () => {
    const wouldRun = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(Object.keys(manifest.allowScripts).sort()).toEqual([...new Set(wouldRun)].sort());
    expect(Object.values(manifest.allowScripts).filter(Boolean)).toEqual([]);
  });

  test('each have a digest: npm installs exactly what was locked', () => {
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

describe('npm audit, as `npm run security` runs it', () => {
  const none = { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 };
  const report = (changes: object) =>
    JSON.stringify({
      auditReportVersion: 2,
      vulnerabilities: {},
      metadata: { vulnerabilities: none, dependencies: { prod: 100, dev: 400, total: 500 } },
      ...changes,
    });

  test('is clean if it reports so for our packages', () => {
    expect(readAudit(report({}))).toEqual({ state: 'clean', packages: 500 });
  });

  test.each([
    ['with names', { vulnerabilities: { left: { severity: 'high', range: '<2' } } }, ['left <2: high']],
    [
      'without names',
      { metadata: { vulnerabilities: { ...none, low: 2 }, dependencies: { total: 500 } } },
      ['2 that npm audit does not name'],
    ],
  ])('reports vulnerabilities, %s', (_how, changes, weaknesses) => {
    expect(readAudit(report(changes))).toEqual({ state: 'weak', weaknesses });
  });

  test.each([
    ['a registry that has no audit', '{"statusCode":405,"body":"","error":{"summary":""}}', 'answered 405'],
    [
      'a registry that is unavailable',
      '{"message":"getaddrinfo ENOTFOUND","error":{"summary":""}}',
      'not reached',
    ],
    ['no lock file', '{"error":{"code":"ENOLOCK","summary":"needs a lockfile"}}', 'needs a lockfile'],
    ['a report on nothing', report({ metadata: { vulnerabilities: none, dependencies: { total: 0 } } }), ''],
    ['an empty object', '{}', ''],
    ['half an answer', '{"vulnerabilities":{', 'nothing that can be read'],
    ['silence', '', 'nothing that can be read'],
  ])('is unknown, never clean, after %s', (_what, text, why) => {
    expect(readAudit(text)).toEqual({ state: 'unknown', why: expect.stringContaining(why) });
  });
});
