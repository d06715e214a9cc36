// Builds a release in release/: the package, its software bill of materials and their checksums.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'release');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { name, version } = manifest;

const npm = (...args) => {
  const { status, stdout, stderr, error } = spawnSync('npm', [...args, '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    shell: process.platform === 'win32',
  });
  if (error || status !== 0) throw new Error(`"npm ${args[0]}" failed: ${error?.message ?? stderr}`);
  return stdout;
};

/** The lock file of the server alone: whoever installs the package gets the versions that it was tested with. */
function shrinkwrap() {
  const place = mkdtempSync(join(tmpdir(), 'emboss-release-'));
  const { workspaces: _, devDependencies: __, ...own } = manifest;
  writeFileSync(join(place, 'package.json'), JSON.stringify(own));
  cpSync(join(root, 'package-lock.json'), join(place, 'package-lock.json'));
  npm('install', `--prefix=${place}`, '--package-lock-only', '--ignore-scripts');
  const lock = readFileSync(join(place, 'package-lock.json'));
  rmSync(place, { recursive: true });
  return lock;
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const wrap = join(root, 'npm-shrinkwrap.json');
writeFileSync(wrap, shrinkwrap());
try {
  npm('pack', `--pack-destination=${folder}`);
} finally {
  rmSync(wrap);
}
// With the packages that are built into the console.
const bill = npm('sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev');
// npm calls the project by its folder.
const named = bill.replaceAll(`${basename(root)}@${version}`, `${name}@${version}`);
const { metadata, ...parts } = JSON.parse(named);
metadata.component.name = name;
writeFileSync(join(folder, `${name}-${version}.cdx.json`), JSON.stringify({ ...parts, metadata }, null, 2));
const sums = readdirSync(folder)
  .sort()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')}  ${file}\n`,
  );
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));
