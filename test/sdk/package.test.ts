import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../support/sources.ts';

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
    'cards,client,designs,health,network,reports,sandbox,transactions,webhookEndpoints,webhookEvents function',
  );
});

test('it depends on nothing', () => {
  const manifest = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest.sideEffects).toBe(false);
});

describe('what is not used falls away', () => {
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

  test('a webhook receiver carries no client', async () => {
    const code = await bundle(`import { verifyWebhook } from '@emboss/sdk'; export default verifyWebhook;`);
    expect(code).toContain('HMAC');
    expect(code).not.toMatch(/api\/v1|EUR|x-payments-api-key/);
    expect(size(code)).toBeLessThan(1_200);
  });

  test('one operation carries no other', async () => {
    const code = await bundle(`import { createClient, freezeCard } from '@emboss/sdk';
      export default (client) => freezeCard(createClient(client), 'x', { freeze: true });`);
    expect(code.match(/api\/v1/g)).toHaveLength(1);
    expect(size(code)).toBeLessThan(2_600);
  });

  test('all of it is small', async () => {
    const code = await bundle(`export * from '@emboss/sdk';`);
    expect(size(code)).toBeLessThan(6_500);
  });
});
