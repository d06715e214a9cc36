import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../support/scripts/sources.ts';

const run = promisify(execFile);
const SDK = join(ROOT, 'sdk');

/** The package as it is installed: built, and imported by its name. */
beforeAll(async () => {
  await run(process.execPath, [join(ROOT, 'bin/setup.mjs')]);
});

test('plain Node imports it by its name, with no flag', async () => {
  const code = `
    import { createEmboss, verifyWebhook } from '@emboss/sdk';
    const emboss = createEmboss({ baseUrl: 'http://127.0.0.1:9', apiKey: 'any' });
    console.log(Object.keys(emboss).sort().join(), typeof verifyWebhook);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: SDK });
  expect(stdout.trim()).toBe(
    'account,authentications,cardBatches,cards,client,customers,decisionEndpoints,designs,health,network,reports,ruleBacktests,ruleLists,rules,sandbox,transactions,webhookEndpoints,webhookEvents function',
  );
});

test('it has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest.sideEffects).toBe(false);
});

test('the published package is complete: the license, no build files, and no link out of the package', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: SDK });
  const files = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'src/index.ts']));
  expect(files.filter((path: string) => /(^|\/)\./.test(path))).toEqual([]);
  expect(readFileSync(join(SDK, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  const links = [...readFileSync(join(SDK, 'README.md'), 'utf8').matchAll(/\]\(([^)]+)\)/g)];
  expect(links.map(([, link]) => link).filter((link) => !files.includes(link))).toEqual([]);
});

describe('unused code is removed by a bundler', () => {
  /** What a bundler makes of a program that uses this much of it. */
  async function bundle(program: string): Promise<string> {
    const entry = '\0program';
    const plugin = {
      name: 'program',
      resolveId: (id: string) =>
        id === entry ? entry : id === '@emboss/sdk' ? join(SDK, 'dist/index.js') : null,
      load: (id: string) => (id === entry ? program : null),
    };
    const build = await rolldown({ input: entry, plugins: [plugin] });
    const { output } = await build.generate({ format: 'esm', minify: true });
    await build.close();
    return output[0].code;
  }
  const size = (code: string) => gzipSync(code).length;
  /** What docs/sdk.md says, of kB in bytes; compressors differ a little. */
  const documented = (words: RegExp) =>
    1000 * Number(words.exec(readFileSync(join(ROOT, 'docs/sdk.md'), 'utf8'))?.[1]);

  test('a webhook receiver contains no client', async () => {
    const code = await bundle(`import { verifyWebhook } from '@emboss/sdk'; export default verifyWebhook;`);
    expect(code).toContain('HMAC');
    expect(code).not.toMatch(/api\/v1|EUR|x-payments-api-key/);
    expect(Math.abs(size(code) - documented(/`verifyWebhook` alone ([\d.]+)/))).toBeLessThan(150);
  });

  test('one operation contains no other', async () => {
    const code = await bundle(`import { createClient, freezeCard } from '@emboss/sdk';
      export default (client) => freezeCard(createClient(client), 'x', { freeze: true });`);
    expect(code.match(/api\/v1/g)).toHaveLength(1);
    expect(Math.abs(size(code) - documented(/one operation takes ([\d.]+)/))).toBeLessThan(150);
  });

  test('the whole SDK is small', async () => {
    const code = await bundle(`export * from '@emboss/sdk';`);
    expect(Math.abs(size(code) - documented(/The whole SDK is ([\d.]+) kB/))).toBeLessThan(150);
  });
});
