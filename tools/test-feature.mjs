// Runs what belongs to one folder of src/: npm run test:feature cards. That is src/cards/ and whatever below test/ has the
// name of the folder: test/e2e/cards/, test/console/cards.test.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const [name, ...options] = process.argv.slice(2);
if (!folders.includes(name)) {
  process.stderr.write(`Name a folder of src/: ${folders.join(', ')}\n`);
  process.exit(2);
}
const filters = [
  `src/${name}/`,
  ...readdirSync(join(root, 'test')).flatMap((group) => [
    `test/${group}/${name}/`,
    `test/${group}/${name}.test.ts`,
  ]),
].filter((path) => existsSync(join(root, path)));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...filters, ...options], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
